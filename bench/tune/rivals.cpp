#include "rivals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "rota/schedule/hosts.hpp"

namespace rota::tune {

namespace {

// Up to the rendezvous limit of most transports, and some above it.
constexpr std::array<std::int64_t, 3> tried_message_bytes{60 << 10, 128 << 10, 512 << 10};

// What is predicted to take longer than this many times the best is not tried.
constexpr double most_times_best = 2;

// ROTA_BLOCK_BYTES goes no further; a schedule that cannot be pipelined stays in one block with it.
constexpr std::int64_t most_message_bytes = std::int64_t{1} << 30;

bool has_shares(Collective collective) {
  return collective == Collective::allgather || collective == Collective::reduce_scatter;
}

/// Between several hosts that ranks share, only schedules that mind it are rivals; how ranks are placed there
/// matters little for their predictions.
std::shared_ptr<const Hosts> shared_hosts(const mpi::Profile& profile) {
  if (profile.hosts == 1 || profile.hosts == profile.ranks) return nullptr;
  return std::make_shared<const Hosts>(hosts_in_a_row(profile.ranks, profile.hosts));
}

/// A call whose shares are all alike.
mpi::Call call_of(Collective collective, std::int64_t bytes, std::int64_t item_bytes,
                  const mpi::Profile& profile) {
  const std::int64_t share_bytes = bytes / profile.ranks;
  mpi::Call call{{collective, profile.ranks}, bytes, bytes / item_bytes};
  call.problem.hosts = shared_hosts(profile);
  if (has_shares(collective)) {
    call.most_blocks = share_bytes / item_bytes;
    call.smallest_share_bytes = call.largest_share_bytes = share_bytes;
  }
  return call;
}

/// The mean message of a schedule in so many blocks.
std::int64_t message_bytes_of(const Pipeline& pipeline, BlockIndex blocks) {
  const auto n = static_cast<double>(blocks);
  const double bytes = pipeline.bytes + pipeline.spread_bytes / n;
  const double rounds = pipeline.per_block * n + pipeline.fixed;
  return std::clamp(static_cast<std::int64_t>(std::llround(bytes / std::max(1.0, rounds))), std::int64_t{1},
                    most_message_bytes);
}

void add_rivals_of(const mpi::Candidate& candidate, const mpi::Call& call, std::vector<Rival>& all) {
  const Pipeline pipeline = candidate.algorithm->pipeline(mpi::load_of(call));
  if (pipeline.spread_bytes <= 0) return all.push_back({candidate.algorithm, most_message_bytes});
  all.push_back({candidate.algorithm, message_bytes_of(pipeline, candidate.blocks)});
  std::vector<BlockIndex> known{candidate.blocks};
  for (const std::int64_t bytes : tried_message_bytes) {
    const BlockIndex blocks =
        std::min(call.most_blocks, blocks_for_messages(pipeline, static_cast<double>(bytes)));
    if (bytes > call.bytes || std::ranges::find(known, blocks) != known.end()) continue;
    known.push_back(blocks);
    all.push_back({candidate.algorithm, bytes});
  }
}

}  // namespace

std::vector<Rival> rivals(Collective collective, std::int64_t bytes, std::int64_t item_bytes,
                          const mpi::Profile& profile) {
  mpi::Settings settings;
  settings.profile = profile;
  const mpi::Call call = call_of(collective, bytes, item_bytes, profile);
  const std::vector<mpi::Candidate> all = mpi::candidates(call, settings);
  std::vector<Rival> result;
  if (all.empty()) return result;
  const double best_s = std::ranges::min_element(all, {}, &mpi::Candidate::seconds)->seconds;
  for (const mpi::Candidate& each : all) {
    if (each.seconds <= most_times_best * best_s) add_rivals_of(each, call, result);
  }
  return result;
}

}  // namespace rota::tune
