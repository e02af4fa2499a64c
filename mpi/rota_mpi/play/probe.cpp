#include "rota_mpi/play/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "rota/generators/index.hpp"
#include "rota_mpi/data/moved.hpp"
#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/play/nobodys_memory.hpp"

namespace rota::mpi {

namespace {

constexpr std::int64_t kibibyte = 1024;

// In powers of two, but one size just below 64 KiB, from where on libraries tend to ask the receiver first.
constexpr std::array<std::int64_t, 6> sizes{1 * kibibyte,   32 * kibibyte,  60 * kibibyte,
                                            128 * kibibyte, 256 * kibibyte, 512 * kibibyte};
constexpr std::array<Round, 2> more_in_flight{2, 4};

constexpr BlockIndex blocks = 8;

// A larger size, or more rounds in flight, must gain so much.
constexpr double gain = 0.9;
// Rounds that take less than this cost little to be tried.
constexpr double little_s = 0.002;

/// Which of its host's links this rank fills; the first, where it fills none.
std::size_t lane_of(Rank rank, const Hosts& hosts) {
  const std::vector<Rank>& ranks =
      hosts.ranks[static_cast<std::size_t>(hosts.of_rank[static_cast<std::size_t>(rank)])];
  const auto place = std::ranges::find(ranks, rank) - ranks.begin();
  return place < hosts.lanes() ? static_cast<std::size_t>(place) : 0;
}

/// Of each host the rank that fills the same link as this one.
std::vector<Rank> leaders_of(const Companion& companion) {
  std::vector<Rank> leaders;
  if (companion.hosts != nullptr) {
    const std::size_t lane = lane_of(companion.rank, *companion.hosts);
    for (const std::vector<Rank>& ranks : companion.hosts->ranks) leaders.push_back(ranks[lane]);
  } else {
    for (Rank rank = 0; rank < companion.ranks; ++rank) leaders.push_back(rank);
  }
  return leaders;
}

/// Seconds from the beginning.
struct Lap {
  double half_s = 0;
  double whole_s = 0;
};

class Prober {
 public:
  Prober(const Companion& companion, std::byte* memory)
      : companion_(companion),
        leaders_(leaders_of(companion)),
        schedule_(find_algorithm(Collective::broadcast, "circulant")
                      ->schedule({.collective = Collective::broadcast,
                                  .ranks = static_cast<Rank>(leaders_.size()),
                                  .blocks = blocks})),
        memory_(memory) {}

  /// The shorter of two times where ranks may have lost their processors in one of them; long rounds are the
  /// wire's.
  RoundTime measured(std::int64_t bytes, Round in_flight) const {
    const double first_s = measured_once(bytes, in_flight);
    return {bytes, first_s > little_s ? first_s : std::min(first_s, measured_once(bytes, in_flight))};
  }

 private:
  /// Of the second half of some rounds: before, links that let some data pass at once may still do so. From
  /// when the last rank began it to when the last one ended.
  double measured_once(std::int64_t bytes, Round in_flight) const {
    Lap mine;
    const auto leader = std::ranges::find(leaders_, companion_.rank);
    if (leader != leaders_.end())
      mine = played(static_cast<Rank>(leader - leaders_.begin()), bytes, in_flight);
    const std::int64_t half_ns = companion_.most(std::llround(mine.half_s * 1e9));
    const std::int64_t whole_ns = companion_.most(std::llround(mine.whole_s * 1e9));
    // The middle round begins when the one in_flight rounds before it is over.
    const Round rounds = schedule_.rounds - middle() + in_flight - 1;
    return static_cast<double>(std::max<std::int64_t>(1, whole_ns - half_ns)) * 1e-9 /
           static_cast<double>(rounds);
  }

  Round middle() const { return schedule_.rounds / 2; }

  Lap played(Rank leader, std::int64_t bytes, Round in_flight) const {
    const Data data{memory_, bytes * blocks, MPI_BYTE};
    MovedData store(1);
    store.add(0, {layout_to_send(data, companion_.self()), Cut{data.count, blocks}});
    Lap lap;
    const double start_s = pmpi.Wtime();
    const auto steps = [&, of_leader = schedule_.of_rank(leader)](Round round) {
      if (round == middle()) lap.half_s = pmpi.Wtime() - start_s;
      Step step = of_leader(round);
      for (Message* const message : {&step.send, &step.receive}) {
        if (!message->blocks.empty()) message->peer = leaders_[static_cast<std::size_t>(message->peer)];
      }
      return step;
    };
    execute({steps, schedule_.rounds, companion_.channel(), in_flight}, store);
    lap.whole_s = pmpi.Wtime() - start_s;
    return lap;
  }

  const Companion& companion_;
  std::vector<Rank> leaders_;
  Schedule schedule_;
  std::byte* memory_;
};

RoundTimes round_times_by(const Prober& prober) {
  prober.measured(sizes[0], 1);  // to be the first takes longer
  RoundTimes found{{prober.measured(sizes[0], 1)}, 1};
  RoundTime best = found.measured.front();
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const RoundTime next = prober.measured(sizes[i], 1);
    found.measured.push_back(next);
    const bool gains = next.seconds_per_byte() < gain * best.seconds_per_byte();
    if (next.seconds_per_byte() < best.seconds_per_byte()) best = next;
    if (!gains && next.seconds > little_s) break;
  }
  if (best.seconds > little_s) return found;
  for (const Round in_flight : more_in_flight) {
    const RoundTime next = prober.measured(best.bytes, in_flight);
    if (next.seconds >= gain * best.seconds) break;
    for (RoundTime& each : found.measured) each.seconds *= next.seconds / best.seconds;
    best = next;
    found.in_flight = in_flight;
  }
  return found;
}

}  // namespace

std::int64_t measuring_bytes() {
  constexpr std::int64_t times = 2;
  return times * blocks * std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

std::optional<RoundTimes> found_round_times(const Companion& companion) {
  const std::unique_ptr<std::byte[]> memory = nobodys_memory(sizes.back() * blocks, companion);
  if (memory == nullptr) return {};
  return round_times_by(Prober(companion, memory.get()));
}

}  // namespace rota::mpi
