#include "rota_mpi/choose.hpp"

#include <algorithm>
#include <limits>

namespace rota::mpi {

namespace {

// Without a profile only the ratio of latency to seconds per byte matters, for it alone decides the size of blocks: the
// bytes that a link carries during what a round costs besides its bytes. The executor overlaps most of a message's latency
// with other messages; 3 kB is what the lab was measured to leave.
constexpr Network default_network{
    .latency_s = 3e-6, .seconds_per_byte = 1e-9, .seconds_per_combined_byte = 1e-10};

// Larger blocks travel by rendezvous over many transports (over TCP from 64 KiB), and the receiver's answer waits behind its
// own outgoing blocks. Measured in docs/performance.md; fast networks lose some tens of percent of what larger ones give.
constexpr double most_default_block_bytes = 36 * 1024;

// MPI counts the bytes of a message in ints.
constexpr double most_message_bytes = 1 << 30;

// Below this, MPI libraries take a binomial tree, which is round-optimal for one block: nothing is left to gain.
constexpr std::int64_t least_bytes = std::int64_t{16} * 1024;

/// A schedule that a call may take, with its best number of blocks and what that is predicted to take.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  BlockIndex blocks = 1;
  double seconds = std::numeric_limits<double>::infinity();
};

BlockIndex blocks_for(const Pipeline& pipeline, const Call& call, const Settings& settings) {
  if (settings.block_bytes > 0) {
    return std::min(call.most_blocks,
                    blocks_for_messages(pipeline, static_cast<double>(settings.block_bytes)));
  }
  const BlockIndex best = best_blocks(pipeline, default_network, call.most_blocks);
  const bool one_block_a_message = pipeline.spread_bytes > 0;
  const double most_bytes = one_block_a_message ? most_default_block_bytes : most_message_bytes;
  return std::min(call.most_blocks, std::max(best, blocks_for_messages(pipeline, most_bytes)));
}

Candidate candidate(const Algorithm& algorithm, const Call& call, const Settings& settings) {
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  const BlockIndex blocks = blocks_for(pipeline, call, settings);
  return {&algorithm, blocks, predicted_seconds(pipeline, default_network, blocks)};
}

/// The schedule that the model predicts to be fastest; none if no algorithm solves the problem.
Candidate fastest(const Call& call, const Settings& settings) {
  Candidate best;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != call.problem.collective || !algorithm.solves(call.problem)) continue;
    const Candidate other = candidate(algorithm, call, settings);
    if (other.seconds < best.seconds) best = other;
  }
  return best;
}

const Algorithm* asked_for(const Call& call, const Settings& settings) {
  const int position = settings.wish(call.problem.collective).algorithm;
  return position < 0 ? nullptr : &algorithms()[static_cast<std::size_t>(position)];
}

}  // namespace

Load load_of(const Call& call) {
  return {call.problem.collective, call.problem.ranks, static_cast<double>(call.bytes),
          static_cast<double>(call.smallest_share_bytes), static_cast<double>(call.largest_share_bytes)};
}

const char* reason_for_native(const Call& call, const Settings& settings) {
  if (settings.wish(call.problem.collective).off) return "switched off";
  if (call.problem.ranks == 1) return "one rank";
  if (call.bytes == 0) return "no data";
  const Algorithm* const wanted = asked_for(call, settings);
  if (wanted != nullptr) return wanted->solves(call.problem) ? nullptr : "the order of ranks matters";
  if (call.problem.ranks == 2) return "two ranks";
  if (call.bytes < least_bytes) return "small";
  return nullptr;
}

Choice choose(const Call& call, const Settings& settings, bool ranks_share_hosts) {
  const Algorithm* const wanted = asked_for(call, settings);
  if (wanted == nullptr && ranks_share_hosts) return native("ranks share hosts");
  const Candidate best = wanted != nullptr ? candidate(*wanted, call, settings) : fastest(call, settings);
  if (best.algorithm == nullptr) return native("the order of ranks matters");
  return {best.algorithm, best.blocks, ""};
}

}  // namespace rota::mpi
