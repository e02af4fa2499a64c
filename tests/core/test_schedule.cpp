// The n-block broadcast, its reverse, the verifier that judges them, and the cost model.
#include <iostream>
#include <limits>
#include <random>

#include "extent.hpp"
#include "require.hpp"
#include "rota/generators/circulant/circulant_broadcast.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/bound.hpp"
#include "rota/proof/verify.hpp"

namespace {

using namespace rota;

std::string text(const Problem& problem) {
  return std::string(name(problem.collective)) + ", p = " + std::to_string(problem.ranks) +
         ", n = " + std::to_string(problem.blocks) + ", root " + std::to_string(problem.root) + ", " +
         std::to_string(problem.owners.size()) + " owners" + (problem.in_order ? ", in order" : "");
}

void require_correct(const Schedule& schedule, std::string_view algorithm) {
  const std::vector<Violation> violations = verify(schedule);
  require(violations.empty(), std::string(algorithm) + " " + text(schedule.problem) + ": " +
                                  (violations.empty() ? std::string() : violations[0].fault));
}

void circulant_is_optimal(const Schedule& schedule) {
  const Effort least = lower_bound(schedule.problem);
  const bool both_ways = schedule.problem.collective == Collective::allreduce;
  require(schedule.rounds == least.rounds * (both_ways ? 2 : 1), text(schedule.problem) + ": rounds");
  const bool one_root = schedule.problem.collective == Collective::broadcast ||
                        schedule.problem.collective == Collective::reduce;
  const bool all_own = owners_of(schedule.problem).size() == static_cast<std::size_t>(schedule.problem.ranks);
  // Where only some ranks have data, these send more than the others receive, as a broadcast's root does.
  if (!one_root && all_own)
    require(effort(schedule).port_blocks == least.port_blocks, text(schedule.problem) + ": bytes");
}

/// Every algorithm that solves the problem, for its collective.
void every_algorithm_on(Problem problem) {
  for (const Algorithm& algorithm : algorithms()) {
    problem.collective = algorithm.collective;
    if (!algorithm.solves(problem)) continue;
    const Schedule schedule = algorithm.schedule(problem);
    require_correct(schedule, algorithm.name);
    if (algorithm.name == "circulant") circulant_is_optimal(schedule);
  }
}

void small_problems_all() {
  for (Rank ranks = 1; ranks <= ranks_up_to(33); ++ranks) {
    for (const BlockIndex blocks : {1, 2, 5}) {
      for (Rank root = 0; root < ranks; root += ranks / 2 + 1) every_algorithm_on({{}, ranks, root, blocks});
      every_algorithm_on({{}, ranks, ranks - 1, blocks, {}, true});
    }
  }
}

std::vector<Rank> some_of(Rank ranks, std::mt19937& random) {
  std::vector<Rank> owners;
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (random() % 3 == 0) owners.push_back(rank);
  }
  return owners;
}

void problems_at_random() {
  std::mt19937 random(2024);
  for (int i = 0; i < cases(40); ++i) {
    const Rank ranks = std::uniform_int_distribution<Rank>(1, 65)(random);
    const Rank root = std::uniform_int_distribution<Rank>(0, ranks - 1)(random);
    const auto blocks = std::uniform_int_distribution<BlockIndex>(1, 12)(random);
    every_algorithm_on({{}, ranks, root, blocks, some_of(ranks, random), i % 2 != 0});
  }
}

/// The broadcast for so many ranks that verifying what has p owners would take too long.
void broadcasts_at_random() {
  std::mt19937 random(2025);
  for (int i = 0; i < cases(100); ++i) {
    const Rank ranks = std::uniform_int_distribution<Rank>(1, 300)(random);
    const Rank root = std::uniform_int_distribution<Rank>(0, ranks - 1)(random);
    const Schedule schedule = circulant_broadcast(
        {Collective::broadcast, ranks, root, std::uniform_int_distribution<BlockIndex>(1, 60)(random)});
    require_correct(schedule, "circulant");
    require_correct(reversed(schedule), "circulant");
    circulant_is_optimal(schedule);
  }
}

/// The schedule with the step of one rank in one round replaced.
Schedule with_step(const Schedule& schedule, Rank rank, Round round,
                   const std::function<Step(Step)>& change) {
  Schedule changed = schedule;
  changed.of_rank = [=](Rank r) -> RankSchedule {
    return [=, steps = schedule.of_rank(r)](Round i) {
      return r == rank && i == round ? change(steps(i)) : steps(i);
    };
  };
  return changed;
}

bool names(const std::vector<Violation>& violations, Round round, Rank rank, const std::string& fault) {
  for (const Violation& violation : violations) {
    if (violation.round == round && violation.rank == rank &&
        violation.fault.find(fault) != std::string::npos) {
      return true;
    }
  }
  return false;
}

void faults_are_found() {
  // p = 5, n = 3 as drawn in circulant_broadcast.hpp: in round 1 rank 3 receives block 1 from rank 0.
  const Schedule good = circulant_broadcast({Collective::broadcast, 5, 0, 3});
  const auto lost = verify(with_step(good, 0, 1, [](Step step) {
    step.send.blocks = {};
    return step;
  }));
  require(names(lost, 1, 3, "sends it nothing"), "a lost message is found where it is missed");
  require(names(lost, good.rounds, 3, "ends without a block"), "and at the end");

  const auto other = verify(with_step(good, 0, 1, [](Step step) {
    step.send.blocks = Block{0, 2};
    return step;
  }));
  require(names(other, 1, 0, "does not receive that message"), "another block than expected is found");

  const auto absent = verify(with_step(good, 2, 1, [](Step step) {
    step.send = {4, Block{0, 2}};
    return step;
  }));
  require(names(absent, 1, 2, "does not hold"), "a block that is not there is found");

  const auto with_nothing = verify(with_step(good, 3, 1, [](Step step) {
    step.on_receive = OnReceive::combine_left;
    return step;
  }));
  require(names(with_nothing, 1, 3, "does not hold"), "what is combined with nothing is found");

  const auto nowhere = verify(with_step(good, 0, 1, [](Step step) {
    step.send.peer = 7;
    return step;
  }));
  require(names(nowhere, 1, 0, "no other rank"), "a peer that is none is found");

  const auto unlinked = verify(good, [](Rank from, Rank to) { return from != 0 || to != 3; });
  require(names(unlinked, 1, 0, "no such link"), "a missing link is found");
  require(names(unlinked, 4, 0, "no such link") && unlinked.size() == 2, "every use of it is named, no more");
}

void wrong_reductions_are_found() {
  const Schedule good = reversed(circulant_broadcast({Collective::broadcast, 6, 2, 4}));
  for (Rank rank = 0; rank < 6; ++rank) {
    for (Round round = 0; round < good.rounds; ++round) {
      if (good.of_rank(rank)(round).receive.blocks.empty()) continue;
      const auto stored = verify(with_step(good, rank, round, [](Step step) {
        step.on_receive = OnReceive::store;
        return step;
      }));
      require(!stored.empty(), "a partial result stored in place of combined loses a contribution");
    }
  }
}

void bad_problems_are_refused() {
  const Problem bad[] = {{Collective::broadcast, 0, 0, 1},         {Collective::broadcast, 4, 4, 1},
                         {Collective::broadcast, 4, -1, 1},        {Collective::broadcast, 4, 0, 0},
                         {Collective::broadcast, 4, 0, 1, {1, 1}}, {Collective::broadcast, 4, 0, 1, {2, 4}}};
  for (const Problem& problem : bad) {
    bool refused = false;
    try {
      circulant_broadcast(problem);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    require(refused, text(problem) + " is refused");
  }
}

void best_blocks_are_best() {
  const Network network{20e-6, 1e-9, 0.5e-9};
  for (const double bytes : {1.0, 100.0, 1e4, 1e6, 3e7}) {
    for (const Pipeline& pipeline : {even_pipeline(1, 0, bytes), even_pipeline(1, 3, bytes),
                                     even_pipeline(2, 11, bytes), Pipeline{0, 4, bytes, 0, 0},
                                     Pipeline{1, 3, bytes, bytes / 2, 1}, Pipeline{0, 4, bytes, bytes, 0}}) {
      double least_s = std::numeric_limits<double>::infinity();
      const auto most = static_cast<BlockIndex>(std::min(5000.0, bytes));
      for (BlockIndex blocks = 1; blocks <= most; ++blocks) {
        least_s = std::min(least_s, predicted_seconds(pipeline, network, blocks));
      }
      const BlockIndex chosen = best_blocks(pipeline, network, most);
      require(chosen >= 1 && chosen <= std::max<BlockIndex>(1, most),
              "from one block to as many as there can be");
      require(predicted_seconds(pipeline, network, chosen) <= least_s * 1.01, "as good as trying all");
    }
  }
}

}  // namespace

int main() try {
  small_problems_all();
  problems_at_random();
  broadcasts_at_random();
  faults_are_found();
  wrong_reductions_are_found();
  bad_problems_are_refused();
  best_blocks_are_best();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
