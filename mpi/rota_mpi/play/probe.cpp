#include "rota_mpi/play/probe.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rota/generators/index.hpp"
#include "rota_mpi/data/moved.hpp"
#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/play/nobodys_memory.hpp"

namespace rota::mpi {

namespace {

constexpr double nanoseconds = 1e9;

/// Which of its host's links this rank fills; the first, where it fills none.
std::size_t lane_of(Rank rank, const Hosts& hosts) {
  const std::vector<Rank>& ranks =
      hosts.ranks[static_cast<std::size_t>(hosts.of_rank[static_cast<std::size_t>(rank)])];
  const auto place = std::ranges::find(ranks, rank) - ranks.begin();
  return place < hosts.lanes() ? static_cast<std::size_t>(place) : 0;
}

/// Of each host the rank that fills the same link as this one; all ranks where they are on one.
std::vector<Rank> leaders_of(const Companion& companion) {
  std::vector<Rank> leaders;
  if (companion.hosts != nullptr && !are_on_one(companion.hosts.get())) {
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
                                  .blocks = Measuring::blocks})),
        memory_(memory) {}

  /// The shorter of two times where ranks may have lost their processors in one of them; long rounds are the
  /// wire's.
  TriedRounds tried(const Measuring::Trial& trial) const {
    const TriedRounds first = tried_once(trial);
    if (first.round_s > Measuring::long_s) return first;
    const TriedRounds second = tried_once(trial);
    return {std::min(first.round_s, second.round_s), first.all_s + second.all_s};
  }

  /// A round's time is that of the second half of some: before, links that let some data pass at once may
  /// still do so. From when the last rank began it to when the last one ended.
  TriedRounds tried_once(const Measuring::Trial& trial) const {
    Lap mine;
    const auto leader = std::ranges::find(leaders_, companion_.rank);
    if (leader != leaders_.end()) mine = played(static_cast<Rank>(leader - leaders_.begin()), trial);
    const std::int64_t half_ns = companion_.most(std::llround(mine.half_s * nanoseconds));
    const std::int64_t whole_ns = companion_.most(std::llround(mine.whole_s * nanoseconds));
    // The middle round begins when the one in_flight rounds before it is over.
    const Round rounds = schedule_.rounds - middle() + trial.in_flight - 1;
    const auto second_half_ns = static_cast<double>(std::max<std::int64_t>(1, whole_ns - half_ns));
    return {second_half_ns / nanoseconds / static_cast<double>(rounds),
            static_cast<double>(whole_ns) / nanoseconds};
  }

 private:
  Round middle() const { return schedule_.rounds / 2; }

  Lap played(Rank leader, const Measuring::Trial& trial) const {
    const Data data{memory_, trial.bytes * Measuring::blocks, MPI_BYTE};
    MovedData store(1);
    store.add(0, {layout_to_send(data, companion_.self()), Cut{data.count, Measuring::blocks}});
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
    execute({.steps = steps,
             .rounds = schedule_.rounds,
             .channel = companion_.channel(),
             .in_flight = trial.in_flight,
             .boxes = companion_.boxes()},
            store);
    lap.whole_s = pmpi.Wtime() - start_s;
    return lap;
  }

  const Companion& companion_;
  std::vector<Rank> leaders_;
  Schedule schedule_;
  std::byte* memory_;
};

}  // namespace

std::optional<TriedRounds> tried_rounds(const Measuring::Trial& trial, const Companion& companion) {
  const std::unique_ptr<std::byte[]> memory = nobodys_memory(trial.bytes * Measuring::blocks, companion);
  if (memory == nullptr) return {};
  return Prober(companion, memory.get()).tried(trial);
}

}  // namespace rota::mpi
