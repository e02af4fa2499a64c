#include "rota_mpi/decide/choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "rota/model/simulate.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota::mpi {

namespace {

// Without a profile only the ratio of latency to seconds per byte matters, for it alone decides the size of blocks: the
// bytes that a link carries during what a round costs besides its bytes. The executor overlaps most of a message's latency
// with other messages; 3 kB is what the lab was measured to leave.
constexpr Network default_network{
    .latency_s = 3e-6, .seconds_per_byte = 1e-9, .seconds_per_combined_byte = 1e-10};

// Larger messages fill a pipeline later, and over TCP wait for the receiver's leave to be sent; smaller ones cost more work
// each. On the lab all collectives are steadily near the limit with messages of this size (docs/performance.md).
constexpr std::int64_t most_default_message_bytes = 36864;

// MPI counts the bytes of a message in ints. The largest message is less than four times the mean, but where
// messages double from round to round: there it is half of what ceil(log2 p) rounds carry.
double most_mean_message_bytes(Rank ranks) {
  return std::numeric_limits<int>::max() / std::max(4.0, 1 + ceil_log2(ranks) / 2.0);
}

// Without a profile, smaller data goes to the native collective: measured on the lab (docs/performance.md). With one root, or
// in prefix sums, MPI libraries come to lose half of the time from some tens of kilobytes on; where all ranks send all the time
// they lose less, and later; MPICH's allgathers lose nothing.
std::int64_t least_bytes(Collective collective, NativeLibrary library) {
  constexpr std::int64_t kibibyte = 1024;
  const bool is_mpich = library == NativeLibrary::mpich;
  switch (collective) {
    case Collective::allgather:
      return is_mpich ? std::numeric_limits<std::int64_t>::max() : 256 * kibibyte;
    case Collective::reduce_scatter:
      return 1024 * kibibyte;
    case Collective::allreduce:
      return (is_mpich ? 1024 : 256) * kibibyte;
    case Collective::broadcast:
    case Collective::reduce:
      return (is_mpich ? 256 : 64) * kibibyte;
    case Collective::all_to_many:  // of the busiest rank; choose_part looks at single messages
      return 256 * kibibyte;
    default:
      return 64 * kibibyte;
  }
}

// The same where ranks share hosts: there the libraries' collectives send data over a link several times, or take it over
// one after the other, and lose two thirds of the time in all of them.
constexpr std::int64_t least_bytes_on_shared_hosts = 262144;

/// Less than this is native wherever ranks run.
std::int64_t least_bytes_anywhere(Collective collective, NativeLibrary library) {
  const bool knows_hosts = collective != Collective::all_to_many && !is_inter_group(collective);
  const std::int64_t least = least_bytes(collective, library);
  return knows_hosts ? std::min(least, least_bytes_on_shared_hosts) : least;
}

/// Blocks whose messages have about so many bytes.
BlockIndex blocks_of_size(const Pipeline& pipeline, const Call& call, double message_bytes) {
  return std::min(call.most_blocks, blocks_for_messages(pipeline, message_bytes));
}

/// Blocks of about the size that the user asks for, or else the best number of them by the model, but in
/// messages of no more than most_default_message_bytes.
BlockIndex blocks_for(const Pipeline& pipeline, const Call& call, const Settings& settings) {
  const BlockIndex blocks = blocks_of_size(pipeline, call, static_cast<double>(message_bytes(settings)));
  if (settings.block_bytes > 0) return blocks;
  return std::max(best_blocks(pipeline, network_of(settings), call.most_blocks), blocks);
}

/// The model's seconds, where a message that cannot be cut costs twice what its pieces would.
double expected_seconds(const Pipeline& pipeline, const Network& network, BlockIndex blocks) {
  const auto n = static_cast<double>(blocks);
  const double rounds = pipeline.per_block * n + pipeline.fixed;
  const double messages =
      (pipeline.bytes + pipeline.spread_bytes / n) / static_cast<double>(most_default_message_bytes);
  return predicted_seconds(pipeline, network, blocks) +
         2 * std::max(0.0, messages - rounds) * network.latency_s;
}

bool can_be_sent(const Pipeline& pipeline, BlockIndex blocks, Rank ranks) {
  const auto n = static_cast<double>(blocks);
  return pipeline.bytes + pipeline.spread_bytes / n <=
         most_mean_message_bytes(ranks) * (pipeline.per_block * n + pipeline.fixed);
}

/// A schedule with messages that MPI cannot count takes forever.
double seconds_to_send(const Pipeline& pipeline, BlockIndex blocks, const Call& call,
                       const Settings& settings) {
  return can_be_sent(pipeline, blocks, call.problem.ranks)
             ? expected_seconds(pipeline, network_of(settings), blocks)
             : std::numeric_limits<double>::infinity();
}

Candidate candidate(const Algorithm& algorithm, const Call& call, const Settings& settings) {
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  const BlockIndex blocks = blocks_for(pipeline, call, settings);
  return {&algorithm, blocks, seconds_to_send(pipeline, blocks, call, settings)};
}

Choice taking(const Candidate& candidate) {
  if (std::isinf(candidate.seconds)) return native("messages of 2 GiB");
  return {candidate.algorithm, candidate.blocks, ""};
}

/// Why a schedule that might serve other calls does not solve this problem.
const char* reason_of(const Problem& problem) {
  if (problem.collective == Collective::inter_allgather) return "both groups have data";
  return problem.in_order ? "the order of ranks matters" : "no ranks share a host";
}

/// Of schedules that take no more than so many times the fastest one's time, the first in the index is taken.
/// Between groups that is the one in which senders receive nothing, for what a rank receives takes its
/// processor, which the model does not see: 12 senders to 4 receivers take 1.03 to 1.06 times the limit so on
/// the lab, 1.11 to 1.13 otherwise.
double as_fast(Collective collective) { return collective == Collective::inter_allgather ? 1.05 : 1; }

/// The schedule that the model predicts to be fastest, if any solves the problem.
Choice fastest(const Call& call, const Settings& settings) {
  const std::vector<Candidate> all = candidates(call, settings);
  if (all.empty()) return native(reason_of(call.problem));
  const double least_s = std::ranges::min(all, {}, &Candidate::seconds).seconds;
  const double enough_s = least_s * as_fast(call.problem.collective);
  return taking(*std::ranges::find_if(all, [&](const Candidate& each) { return each.seconds <= enough_s; }));
}

const Algorithm* asked_for(const Call& call, const Settings& settings) {
  const int position = settings.wish(call.problem.collective).algorithm;
  return position < 0 ? nullptr : &algorithms()[static_cast<std::size_t>(position)];
}

/// What the profile says of calls like this one; nullptr: nothing.
const Measurement* measurement_of(const Call& call, const Settings& settings) {
  if (settings.profile.ranks == 0) return nullptr;
  return settings.profile.nearest(call.problem.collective, call.bytes);
}

/// What was measured to be best, or where it was measured with other numbers of ranks, what the model
/// predicts to be.
Choice as_measured(const Measurement& measured, const Call& call, const Settings& settings) {
  const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(measured.algorithm)];
  if (settings.profile.ranks != call.problem.ranks || !algorithm.solves(call.problem))
    return fastest(call, settings);
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  const BlockIndex blocks = blocks_of_size(pipeline, call, std::max(1.0, measured.message_bytes));
  return taking({&algorithm, blocks, seconds_to_send(pipeline, blocks, call, settings)});
}

}  // namespace

Call inter_allgather_call(const Problem& problem) {
  Call call;
  call.problem = problem;
  const auto [first, second] = groups_of(problem);
  const auto bytes_of = [&](const Group& group) {
    return std::accumulate(problem.shares.begin() + group.first, problem.shares.begin() + group.end,
                           std::int64_t{0});
  };
  call.bytes = std::max(bytes_of(first), bytes_of(second));
  call.smallest_share_bytes = std::ranges::min(problem.shares);
  call.largest_share_bytes = std::ranges::max(problem.shares);
  call.most_blocks = std::max<std::int64_t>(1, call.largest_share_bytes);
  return call;
}

const Network& network_of(const Settings& settings) {
  return settings.profile.ranks > 0 ? settings.profile.network : default_network;
}

Load load_of(const Call& call) {
  if (is_inter_group(call.problem.collective)) return rota::load_of(call.problem, call.bytes);
  Load load{call.problem.collective, call.problem.ranks, static_cast<double>(call.bytes),
            static_cast<double>(call.smallest_share_bytes), static_cast<double>(call.largest_share_bytes)};
  load.placement = placement_of(call.problem);
  return load;
}

std::vector<Candidate> candidates(const Call& call, const Settings& settings) {
  const Hosts* const hosts = call.problem.hosts.get();
  std::vector<Candidate> result;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == call.problem.collective && algorithm.solves(call.problem) &&
        (hosts == nullptr || algorithm.minds(*hosts)))
      result.push_back(candidate(algorithm, call, settings));
  }
  return result;
}

std::int64_t message_bytes(const Settings& settings) {
  return settings.block_bytes > 0 ? settings.block_bytes : most_default_message_bytes;
}

std::int64_t native_below(Collective collective, const Settings& settings) {
  const bool is_measured =
      settings.profile.ranks > 0 && collective != Collective::all_to_many && !is_inter_group(collective);
  if (settings.wish(collective).algorithm >= 0 || is_measured) return 0;
  return least_bytes_anywhere(collective, settings.native);
}

const char* reason_for_native(const Call& call, const Settings& settings) {
  if (settings.wish(call.problem.collective).off) return "switched off";
  if (call.problem.ranks == 1) return "one rank";
  if (call.bytes == 0) return "no data";
  if (asked_for(call, settings) != nullptr) return nullptr;
  if (const Measurement* const measured = measurement_of(call, settings)) {
    return measured->native_s <= measured->rota_s ? "measured to be faster" : nullptr;
  }
  if (call.problem.ranks == 2) return "two ranks";
  if (call.bytes < least_bytes_anywhere(call.problem.collective, settings.native)) return "small";
  return nullptr;
}

Choice choose(const Call& call, const Settings& settings) {
  if (const Algorithm* const wanted = asked_for(call, settings)) {
    return wanted->solves(call.problem) ? taking(candidate(*wanted, call, settings))
                                        : native(reason_of(call.problem));
  }
  const Profile& profile = settings.profile;
  const Hosts* const hosts = call.problem.hosts.get();
  const bool is_like_profile = profile.ranks > 0 && (hosts != nullptr) == (profile.hosts < profile.ranks);
  const Measurement* const measured = measurement_of(call, settings);
  if (measured != nullptr && is_like_profile) return as_measured(*measured, call, settings);
  if (hosts != nullptr && hosts->count() == 1) return native("one host");
  if (hosts != nullptr && candidates(call, settings).empty()) return native("ranks share hosts");
  const std::int64_t least =
      hosts != nullptr ? least_bytes_on_shared_hosts : least_bytes(call.problem.collective, settings.native);
  if (measured == nullptr && call.bytes < least) return native("small");
  return fastest(call, settings);
}

}  // namespace rota::mpi
