#include "rota_mpi/decide/choose.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota::mpi {

namespace {

// Without a profile, smaller data goes to the native collective: on links of any rate, from 200 Mbit/s to 10 Gbit/s, schedules take up to six
// times as long there (docs/performance.md), for these are the sizes up to which MPI libraries take the fewest rounds. With one root, or
// in prefix sums, they come to lose half of the time from some tens of kilobytes on; where all ranks send all the time they lose less, and
// later; MPICH's allgathers lose nothing. Above, what is moved competes.
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

// The same of sums whose bits depend on the order, which are never tried natively beside. Before the first of them links' pace must be
// found, which takes as long as some calls of less data; and the faster links are, the more data it takes until these are what takes time,
// and not processors (docs/performance.md).
struct LeastSums {
  std::int64_t of_one;      // to one root, or prefixes
  std::int64_t of_shares;   // to each rank its share
  std::int64_t everywhere;  // to all ranks
};
constexpr std::int64_t mebibyte = 1048576;
constexpr LeastSums on_slow_links{mebibyte / 4, mebibyte / 4, mebibyte / 2};
constexpr LeastSums on_medium_links{mebibyte / 2, mebibyte / 2, 2 * mebibyte};
// Of shares MPICH loses little there, and so does Open MPI where hosts' ranks are in a row (has_ring_of_hosts).
constexpr LeastSums on_medium_links_for_good_shares{mebibyte / 2, 4 * mebibyte, 2 * mebibyte};

constexpr const char* order_kept = "fast links: sums keep their order";

/// Has Open MPI a ring for shares that passes each host's link once?
bool has_ring_of_hosts(const Problem& problem, NativeLibrary library) {
  return library != NativeLibrary::mpich && problem.hosts != nullptr && problem.hosts->are_in_a_row();
}

// That ring is as short as a schedule, up to what rounds take that wait for one another. Each rank has a message of every other's share,
// and where ranks share a processor they handle these in turn, meanwhile so much more would have passed a slow link for each.
constexpr std::int64_t link_bytes_a_turn = 3072;

std::int64_t least_bytes_of_turns(Rank ranks, const FoundNetwork& found) {
  return link_bytes_a_turn * ranks * found.ranks_a_processor;
}

// MPICH halves the data of all shares below this, between ranks that are further apart first, and so does Open MPI in
// MPI_Reduce_scatter_block among few ranks (up to larger data, of which its copies take longer than the link).
constexpr std::int64_t halved_below = mebibyte / 2;
constexpr Rank open_mpi_halves_from = 4;
constexpr Rank open_mpi_halves_below = 32;

bool halves(const Call& call, NativeLibrary library) {
  const Rank ranks = call.problem.ranks;
  const bool are_few = ranks >= open_mpi_halves_from && ranks < open_mpi_halves_below;
  return library == NativeLibrary::mpich ||
         (library == NativeLibrary::open_mpi && call.has_one_count && are_few);
}

/// Are halves passed on within hosts until each host has its part? Then links are passed once, too, as where
/// ranks are dealt to hosts in turn.
bool halves_on_hosts(const Call& call, NativeLibrary library) {
  const Hosts* const hosts = call.problem.hosts.get();
  const Rank ranks = call.problem.ranks;
  if (hosts == nullptr || !halves(call, library)) return false;
  if (!std::has_single_bit(static_cast<std::uint32_t>(ranks)) || ranks % hosts->count() != 0) return false;
  for (Rank apart = ranks / 2; apart >= hosts->count(); apart /= 2) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      if (!hosts->share(rank, rank ^ apart)) return false;
    }
  }
  return true;
}

/// Up to which the MPI library's own sums in shares are as short as a schedule on slow links.
std::int64_t least_bytes_of_shares(const Call& call, NativeLibrary library, const FoundNetwork& found) {
  if (has_ring_of_hosts(call.problem, library)) return least_bytes_of_turns(call.problem.ranks, found);
  return halves_on_hosts(call, library) ? halved_below : 0;
}

std::int64_t least_bytes_of_order(const Call& call, NativeLibrary library, const FoundNetwork& found) {
  const bool are_shares_good = library == NativeLibrary::mpich || has_ring_of_hosts(call.problem, library);
  const LeastSums& on_medium = are_shares_good ? on_medium_links_for_good_shares : on_medium_links;
  const LeastSums& least = found.pace == Pace::medium ? on_medium : on_slow_links;
  switch (call.problem.collective) {
    case Collective::allreduce:
    case Collective::inter_allreduce:
      return least.everywhere;
    case Collective::reduce_scatter:
      return std::max(least.of_shares, least_bytes_of_shares(call, library, found));
    default:
      return least.of_one;
  }
}

/// Less than this is native for such a call.
std::int64_t least_bytes_of(const Call& call, const Settings& settings, const FoundNetwork& found) {
  const Collective collective = call.problem.collective;
  const std::int64_t least =
      call.problem.hosts != nullptr ? least_bytes_on_shared_hosts : least_bytes(collective, settings.native);
  if (!depends_on_pace(call, settings)) return least;
  return std::max(least, least_bytes_of_order(call, settings.native, found));
}

/// Less than this is native wherever ranks run.
std::int64_t least_bytes_anywhere(Collective collective, NativeLibrary library) {
  const bool knows_hosts = collective != Collective::all_to_many && !is_inter_group(collective);
  const std::int64_t least = least_bytes(collective, library);
  return knows_hosts ? std::min(least, least_bytes_on_shared_hosts) : least;
}

Choice taking(const Candidate& candidate) {
  if (std::isinf(candidate.seconds)) return native("messages of 2 GiB");
  return {.algorithm = candidate.algorithm, .blocks = candidate.blocks};
}

/// Why a schedule that might serve other calls does not solve this problem.
const char* reason_none_solves(const Problem& problem) {
  if (problem.collective == Collective::inter_allgather) return "both groups have data";
  return problem.in_order ? "the order of ranks matters" : "no ranks share a host";
}

/// Of schedules that take no more than so many times the fastest one's time, the first in the index is taken.
/// Between groups that is the one in which senders receive nothing, for what a rank receives takes its
/// processor, which the model does not see: 12 senders to 4 receivers take 1.03 to 1.06 times the limit so on
/// the lab, 1.11 to 1.13 otherwise.
double as_fast(Collective collective) { return collective == Collective::inter_allgather ? 1.05 : 1; }

/// The schedule that the model predicts to be fastest, if any solves the problem.
Choice fastest(const Call& call, const Settings& settings, const FoundNetwork& found) {
  const std::vector<Candidate> all = candidates(call, settings, found);
  if (all.empty()) return native(reason_none_solves(call.problem));
  const double least_s = std::ranges::min(all, {}, &Candidate::seconds).seconds;
  const double enough_s = least_s * as_fast(call.problem.collective);
  return taking(*std::ranges::find_if(all, [&](const Candidate& each) { return each.seconds <= enough_s; }));
}

// On fast links an allreduce takes least in such chunks, whether or not others have the processors at times; less data is too few of
// them (docs/performance.md).
constexpr std::int64_t chunk_bytes = mebibyte / 2;
constexpr std::int64_t least_bytes_in_chunks = 4 * mebibyte;

const Algorithm& in_chunks() { return *find_algorithm(Collective::allreduce, "circulant_chunks"); }

/// Is it a large allreduce whose bits show its order, on fast links between ranks that need not share
/// processors?
bool goes_in_chunks(const Call& call, const Settings& settings, const FoundNetwork& found) {
  const Problem& problem = call.problem;
  return problem.collective == Collective::allreduce && problem.hosts == nullptr &&
         call.bytes >= least_bytes_in_chunks && in_chunks().solves(problem) && found.pace == Pace::fast &&
         !found.is_crowded() && depends_on_pace(call, settings);
}

Choice chosen_in_chunks(const Call& call, const Settings& settings) {
  const std::int64_t bytes = settings.block_bytes > 0 ? settings.block_bytes : chunk_bytes;
  return taking(predicted_with(bytes, in_chunks(), call, settings));
}

const Algorithm* asked_for(const Call& call, const Settings& settings) {
  const int position = settings.wish(call.problem.collective).algorithm;
  return position < 0 ? nullptr : &algorithms()[static_cast<std::size_t>(position)];
}

/// What the profile says of calls like this one; nullptr: nothing.
const Measurement* measurement_of(const Call& call, const Settings& settings) {
  return settings.profile.nearest(call.problem.collective, call.bytes);
}

/// What was measured to be best, or where it was measured with other numbers of ranks, what the model
/// predicts to be.
Choice as_measured(const Measurement& measured, const Call& call, const Settings& settings) {
  const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(measured.algorithm)];
  if (settings.profile.ranks != call.problem.ranks || !algorithm.solves(call.problem))
    return fastest(call, settings, {});
  const auto message_bytes = static_cast<std::int64_t>(std::max(1.0, measured.message_bytes));
  return taking(predicted_with(message_bytes, algorithm, call, settings));
}

Choice choose_schedule(const Call& call, const Settings& settings, const FoundNetwork& found) {
  if (const Algorithm* const wanted = asked_for(call, settings)) {
    return wanted->solves(call.problem) ? taking(predicted(*wanted, call, settings, found))
                                        : native(reason_none_solves(call.problem));
  }
  const Profile& profile = settings.profile;
  const Hosts* const hosts = call.problem.hosts.get();
  const bool is_like_profile = profile.ranks > 0 && (hosts != nullptr) == (profile.hosts < profile.ranks);
  const Measurement* const measured = measurement_of(call, settings);
  if (measured != nullptr && is_like_profile) return as_measured(*measured, call, settings);
  if (are_on_one(hosts)) return native("one host");
  if (hosts != nullptr && candidates(call, settings, found).empty()) return native("ranks share hosts");
  if (measured == nullptr && call.bytes < least_bytes_of(call, settings, found)) return native("small");
  if (goes_in_chunks(call, settings, found)) return chosen_in_chunks(call, settings);
  if (depends_on_pace(call, settings) && found.pace == Pace::fast && !gains_in_large_messages(call))
    return native(order_kept);
  return fastest(call, settings, found);
}

/// With what follows from the schedule.
Choice completed(Choice choice, const Call& call, const Settings& settings, const FoundNetwork& found) {
  if (choice.algorithm == nullptr) return choice;
  choice.in_flight = rounds_in_flight(call, settings, found);
  choice.rounds =
      rounds_between_hosts(*choice.algorithm, call, choice.blocks) / static_cast<double>(choice.in_flight);
  if (found.times() != nullptr)
    choice.seconds = seconds_on(*found.times(), *choice.algorithm, call, choice.blocks);
  return choice;
}

/// By a schedule for ranks of which each has a port of its own.
Call through_memory(const Call& call) {
  Call flat = call;
  flat.problem.hosts = nullptr;
  return flat;
}

bool may_gain_through_memory(const Call& call, const Settings& settings, const FoundNetwork& found) {
  return found.is_one_memory && found.times() != nullptr && is_on_one_host(call, settings) &&
         depends_on_memory_times(call, settings);
}

}  // namespace

std::int64_t native_below(Collective collective, const Settings& settings) {
  if (settings.wish(collective).algorithm >= 0) return 0;
  return std::min(settings.profile.least_bytes(collective),
                  least_bytes_anywhere(collective, settings.native));
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

Choice choose(const Call& call, const Settings& settings, const FoundNetwork& found) {
  if (may_gain_through_memory(call, settings, found))
    return choose_fastest(through_memory(call), settings, found);
  return completed(choose_schedule(call, settings, found), call, settings, found);
}

Choice choose_fastest(const Call& call, const Settings& settings, const FoundNetwork& found) {
  return completed(fastest(call, settings, found), call, settings, found);
}

double expected_seconds(const Call& call, const Choice& choice, const Settings& settings) {
  if (choice.seconds > 0 || choice.algorithm == nullptr || !settings.profile.has_network())
    return choice.seconds;
  return predicted_seconds(choice.algorithm->pipeline(load_of(call)), settings.profile.network,
                           choice.blocks);
}

bool is_on_one_host(const Call& call, const Settings& settings) {
  return are_on_one(call.problem.hosts.get()) && !is_inter_group(call.problem.collective) &&
         !settings.says_which(call.problem.collective, call.bytes);
}

bool depends_on_pace(const Call& call, const Settings& settings) {
  return settings.adapt == Adapt::moved && !settings.says_which(call.problem.collective, call.bytes) &&
         changes_bits(call);
}

}  // namespace rota::mpi
