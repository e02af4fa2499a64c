// The simulator against closed forms, and against small schedules worked out by hand.
//
// Latencies and seconds per byte are powers of two, so that sums are exact and times can be compared with ==.
#include "rota/model/simulate.hpp"

#include <cmath>
#include <iostream>
#include <map>
#include <utility>

#include "by_hand.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/bound.hpp"

namespace {

using namespace rota;

constexpr Network network{
    .latency_s = 0x1p-10, .seconds_per_byte = 0x1p-20, .seconds_per_combined_byte = 0x1p-22};

Schedule circulant(Collective collective, Rank ranks, BlockIndex blocks, Rank root = 0) {
  return find_algorithm(collective, "circulant")->schedule({collective, ranks, root, blocks});
}

Simulation of_bytes(const Schedule& schedule, std::int64_t bytes) {
  return simulate(schedule, network, equal_cuts(schedule.problem, bytes));
}

double message_s(std::int64_t bytes) {
  return network.latency_s + static_cast<double>(bytes) * network.seconds_per_byte;
}
double combined_s(std::int64_t bytes) {
  return static_cast<double>(bytes) * network.seconds_per_combined_byte;
}

/// Blocks 0, 1, … n - 1 from each rank to the next: rank r receives block b in round r - 1 + b.
Schedule chain(Rank ranks, BlockIndex blocks) {
  return {{Collective::broadcast, ranks, 0, blocks}, blocks + ranks - 2, [=](Rank rank) -> RankSchedule {
            return [=](Round round) {
              const auto at = [&](Round index) {
                return index >= 0 && index < blocks ? Blocks(Block{0, index}) : Blocks();
              };
              Step step;
              if (rank + 1 < ranks) step.send = {rank + 1, at(round - rank)};
              if (rank > 0) step.receive = {rank - 1, at(round - rank + 1)};
              return step;
            };
          }};
}

// The root is busy in every round, and no rank can be later than round after round of equal blocks.
void circulant_broadcast_and_reduce() {
  for (Rank ranks = 2; ranks <= 130; ++ranks) {
    for (const BlockIndex blocks : {1, 2, 5, 32}) {
      const Rank root = ranks / 3;
      const std::int64_t block_bytes = 48;
      const auto rounds = static_cast<double>(blocks - 1 + ceil_log2(ranks));
      const Schedule broadcast = circulant(Collective::broadcast, ranks, blocks, root);
      require(of_bytes(broadcast, blocks * block_bytes).seconds == rounds * message_s(block_bytes),
              "broadcast, p = " + std::to_string(ranks));
      require(of_bytes(circulant(Collective::reduce, ranks, blocks, root), blocks * block_bytes).seconds ==
                  rounds * (message_s(block_bytes) + combined_s(block_bytes)),
              "reduce, p = " + std::to_string(ranks));
      require(
          of_bytes(broadcast, blocks * block_bytes).port_bytes == effort(broadcast).port_blocks * block_bytes,
          "bytes through a port, p = " + std::to_string(ranks));
    }
  }
}

// Equal shares and one block: every rank does the same in every round.
void circulant_with_all_owners() {
  for (const Rank ranks : {2, 3, 4, 5, 8, 13, 16, 33, 64, 100}) {
    const std::int64_t share = 24;
    const double latencies = ceil_log2(ranks) * network.latency_s;
    const double passing = static_cast<double>((ranks - 1) * share) * network.seconds_per_byte;
    const double combining = combined_s((ranks - 1) * share);
    const auto play = [&](Collective collective) {
      return of_bytes(circulant(collective, ranks, 1), ranks * share);
    };
    require(play(Collective::allgather).seconds == latencies + passing, "allgather");
    require(play(Collective::allgather).port_bytes == (ranks - 1) * share, "its bytes");
    require(play(Collective::reduce_scatter).seconds == latencies + passing + combining, "reduce-scatter");
    require(play(Collective::allreduce).seconds == 2 * (latencies + passing) + combining, "allreduce");
    for (const double finish_s : play(Collective::allgather).finish_s) {
      require(finish_s == latencies + passing, "all ranks at once");
    }
  }
}

void a_chain_and_its_reversal() {
  for (const Rank ranks : {2, 3, 10, 57}) {
    for (const BlockIndex blocks : {1, 2, 9}) {
      const auto rounds = static_cast<double>(blocks + ranks - 2);
      const Simulation broadcast = of_bytes(chain(ranks, blocks), blocks * 32);
      require(broadcast.seconds == rounds * message_s(32), "chain");
      require(broadcast.finish_s[0] == static_cast<double>(blocks) * message_s(32),
              "its root is done earlier");
      require(broadcast.port_bytes == blocks * 32, "its bytes");
      require(of_bytes(reversed(chain(ranks, blocks)), blocks * 32).seconds ==
                  rounds * (message_s(32) + combined_s(32)),
              "chain backwards");
    }
  }
}

// Two pairs, each with a long and a short message in opposite order: nobody waits for the other pair's round.
void rounds_are_not_synchronised() {
  const Block long_one{0, 0};
  const Block short_one{0, 1};
  const Schedule schedule = by_hand(4, 2,
                                    {{{0, 0}, sends(1, long_one)},
                                     {{1, 0}, receives(0, long_one)},
                                     {{2, 0}, sends(3, short_one)},
                                     {{3, 0}, receives(2, short_one)},
                                     {{0, 1}, sends(1, short_one)},
                                     {{1, 1}, receives(0, short_one)},
                                     {{2, 1}, sends(3, long_one)},
                                     {{3, 1}, receives(2, long_one)}});
  const auto bytes = [&](Block block) { return block == long_one ? 4096 : 16; };
  const Simulation simulation = simulate(schedule, network, bytes);
  for (const double finish_s : simulation.finish_s)
    require(finish_s == message_s(4096) + message_s(16), "no wait");
}

// Rank 1 is busy combining: rank 2's message of round 1 waits for it, and rank 2 with it.
void a_message_waits_for_both_sides() {
  Step combines = receives(0, {0, 0});
  combines.on_receive = OnReceive::combine_left;
  combines.combinations = {{{0, 0}, {1, 0}}};
  const Schedule schedule = by_hand(3, 2,
                                    {{{0, 0}, sends(1, {0, 0})},
                                     {{1, 0}, combines},
                                     {{1, 1}, receives(2, {2, 0})},
                                     {{2, 1}, sends(1, {2, 0})}});
  const Simulation simulation = simulate(schedule, network, [](Block) { return 64; });
  const double ready_s = message_s(64) + 2 * combined_s(64);
  require(simulation.finish_s[0] == message_s(64), "the sender does not wait for what the receiver combines");
  require(simulation.finish_s[1] == ready_s + message_s(64), "combining comes before the next round");
  require(simulation.finish_s[2] == ready_s + message_s(64), "the sender waits for the receiver");
}

void sending_and_receiving_at_the_same_time() {
  Step of_0 = sends(1, {0, 0});
  of_0.receive = {1, Block{1, 0}};
  Step of_1 = sends(0, {1, 0});
  of_1.receive = {0, Block{0, 0}};
  const Schedule schedule = by_hand(2, 1, {{{0, 0}, of_0}, {{1, 0}, of_1}});
  const auto bytes = [](Block block) { return block.owner == 0 ? 100 : 30; };
  const Simulation simulation = simulate(schedule, network, bytes);
  require(simulation.seconds == message_s(100), "full duplex: the longer one");
  require(simulation.port_bytes == 100, "each way is a port of its own");
}

std::int64_t total(const Problem& problem, const BlockBytes& bytes) {
  std::int64_t sum = 0;
  for (const Rank owner : owners_of(problem)) {
    for (BlockIndex index = 0; index < problem.blocks; ++index) sum += bytes({owner, index});
  }
  return sum;
}

void cuts_lose_nothing() {
  for (const std::int64_t bytes : {0, 1, 7, 100, 12345}) {
    for (const BlockIndex blocks : {1, 2, 3, 10, 200}) {
      const Problem broadcast{Collective::broadcast, 9, 4, blocks};
      require(total(broadcast, equal_cuts(broadcast, bytes)) == bytes, "one root has all bytes");
      const Problem gather{Collective::allgather, 9, 0, blocks, {1, 2, 5, 8}};
      require(total(gather, equal_cuts(gather, bytes)) == bytes, "owners have all bytes together");
      const Problem scan{Collective::scan, 9, 0, blocks};
      require(total(scan, equal_cuts(scan, bytes)) == 9 * bytes, "in a scan each rank has all bytes");
    }
  }
  const Problem gather{Collective::allgather, 9, 0, 3, {1, 2, 5}};
  const BlockBytes bytes = cuts_of_shares(gather, {10, 0, 6});
  require(bytes({1, 0}) == 4 && bytes({1, 1}) == 4 && bytes({1, 2}) == 2, "the last block is shorter");
  require(bytes({2, 0}) == 0 && bytes({5, 2}) == 2, "shares are in the order of the owners");
  const Load load = load_of(gather, 10);
  require(load.bytes == 10 && load.smallest_share_bytes == 0 && load.largest_share_bytes == 4,
          "the load of it");
}

/// The sum over the rounds of what the longest message, and the most combining, take: rounds in lock-step.
double in_lock_step_s(const Schedule& schedule, const BlockBytes& bytes) {
  std::vector<double> round_s(static_cast<std::size_t>(schedule.rounds));
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const RankSchedule steps = schedule.of_rank(rank);
    for (Round round = 0; round < schedule.rounds; ++round) {
      const Step step = steps(round);
      const auto size = [&](const Blocks& blocks) {
        std::int64_t sum = 0;
        for (const Block block : blocks) sum += bytes(block);
        return sum;
      };
      const std::int64_t received = step.on_receive == OnReceive::store ? 0 : size(step.receive.blocks);
      double needs_s = combined_s(received);
      for (const Combination& combination : step.combinations) needs_s += combined_s(bytes(combination.from));
      if (!step.send.blocks.empty() || !step.receive.blocks.empty()) {
        needs_s += message_s(std::max(size(step.send.blocks), size(step.receive.blocks)));
      }
      double& longest_s = round_s[static_cast<std::size_t>(round)];
      longest_s = std::max(longest_s, needs_s);
    }
  }
  double sum = 0;
  for (const double seconds : round_s) sum += seconds;
  return sum;
}

/// Every algorithm lies between the bound and its rounds in lock-step.
void every_algorithm() {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : {1, 2, 3, 6, 8, 17, 33}) {
      for (const std::int64_t bytes : {64, 100000}) {
        const Problem problem{algorithm.collective, ranks, ranks / 2, 4};
        if (!algorithm.solves(problem)) continue;
        const Schedule schedule = algorithm.schedule(problem);
        const BlockBytes cuts = equal_cuts(schedule.problem, bytes);
        const double seconds = simulate(schedule, network, cuts).seconds;
        const std::string what = std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) +
                                 ", p = " + std::to_string(ranks) + ": " + std::to_string(seconds);
        // Shares and blocks that are a byte longer than others make sums that are not exact.
        require(seconds >= least_seconds(load_of(schedule.problem, bytes), network) * (1 - 1e-12), what);
        require(seconds <= in_lock_step_s(schedule, cuts) * (1 + 1e-12), what);
      }
    }
  }
}

/// The cost model says in closed form what every algorithm takes; where it is not exact it errs by little.
void as_predicted() {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : {3, 8, 21}) {
      for (const std::int64_t bytes : {840, 840'000}) {
        Problem problem{algorithm.collective, ranks};
        if (!algorithm.solves(problem)) continue;
        const Load load = load_of(problem, bytes);
        const Pipeline pipeline = algorithm.pipeline(load);
        problem.blocks = best_blocks(pipeline, network, static_cast<BlockIndex>(load.largest_share_bytes));
        const Schedule schedule = algorithm.schedule(problem);
        const double simulated_s = simulate(schedule, network, equal_cuts(schedule.problem, bytes)).seconds;
        const double predicted_s = predicted_seconds(pipeline, network, problem.blocks);
        // Where trees have an odd number of blocks or one only, up to three rounds fewer are enough; so are they
        // on a butterfly, whose groups of three take two rounds for which most ranks do not wait.
        const bool may_take_fewer = algorithm.name == "two_tree" || algorithm.name == "butterfly";
        const double round_s =
            predicted_s / (pipeline.per_block * static_cast<double>(problem.blocks) + pipeline.fixed);
        const double least_s = predicted_s * 0.9 - (may_take_fewer ? 3 * round_s : 0);
        require(simulated_s > least_s && simulated_s < predicted_s * 1.2,
                std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) +
                    ", p = " + std::to_string(ranks) + ": " + std::to_string(simulated_s) + " s, predicted " +
                    std::to_string(predicted_s) + " s");
      }
    }
  }
}

/// Enough ranks that several threads play them.
void many_ranks() {
  const Simulation simulation = of_bytes(circulant(Collective::broadcast, 100'001, 8, 77), 8 * 64);
  require(simulation.seconds == (8 - 1 + 17) * message_s(64), "100001 ranks");
  require(simulation.finish_s.size() == 100'001, "each of which is done at some time");
}

void rounds_are_told_and_may_be_the_last() {
  Round told = 0;
  simulate(
      chain(4, 3), network, [](Block) { return 1; },
      [&](Round done) { require(done == ++told, "in order"); });
  require(told == 5, "every round");
  bool ended = false;
  try {
    simulate(
        chain(4, 3), network, [](Block) { return 1; }, [](Round) { throw std::runtime_error("enough"); });
  } catch (const std::runtime_error&) {
    ended = true;
  }
  require(ended, "what on_round throws ends the simulation");
}

template <typename Call>
bool is_refused(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void mistakes_are_refused() {
  const Problem gather{Collective::allgather, 4};
  require(is_refused([&] { cuts_of_shares(gather, {1, 2, 3}); }), "a share is missing");
  require(is_refused([&] { equal_cuts(gather, -1); }), "bytes below 0");
  require(is_refused([&] { cuts_of_shares(gather, {1, 2, 3, -4}); }), "a share below 0");
  for (const Rank peer : {-1, 2}) {
    const Schedule nowhere = by_hand(2, 1, {{{0, 0}, sends(peer, Block{0, 0})}});
    require(is_refused([&] { simulate(nowhere, network, [](Block) { return 1; }); }), "a peer that is none");
  }
}

}  // namespace

int main() try {
  circulant_broadcast_and_reduce();
  circulant_with_all_owners();
  a_chain_and_its_reversal();
  rounds_are_not_synchronised();
  a_message_waits_for_both_sides();
  sending_and_receiving_at_the_same_time();
  cuts_lose_nothing();
  every_algorithm();
  as_predicted();
  many_ranks();
  rounds_are_told_and_may_be_the_last();
  mistakes_are_refused();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
