// What the cost model says of an algorithm is what its schedule does: rounds and blocks through the busiest port.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "loads.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"

namespace {

using namespace rota;

bool has_one_message(const std::vector<RankSchedule>& ranks, Round round) {
  return std::ranges::any_of(ranks,
                             [&](const RankSchedule& steps) { return !steps(round).send.blocks.empty(); });
}

Round silent_rounds(const Schedule& schedule) {
  std::vector<RankSchedule> ranks;
  ranks.reserve(static_cast<std::size_t>(schedule.problem.ranks));
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) ranks.push_back(schedule.of_rank(rank));
  Round silent = 0;
  for (Round round = 0; round < schedule.rounds; ++round) silent += has_one_message(ranks, round) ? 0 : 1;
  return silent;
}

std::size_t largest_message(const Schedule& schedule) {
  std::size_t most = 0;
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const RankSchedule steps = schedule.of_rank(rank);
    for (Round round = 0; round < schedule.rounds; ++round)
      most = std::max(most, steps(round).send.blocks.size());
  }
  return most;
}

/// The schedule may take so many rounds less than predicted, and have so many in which nobody sends.
struct Allowance {
  Round rounds_less = 0;
  Round silent_rounds = 0;
};

/// A scan on two trees: odd and even numbers of blocks are not on one line, and one block leaves the second
/// tree unused. All else on them takes what is predicted; a single block leaves rounds in which the one tree
/// has no edge of that colour.
Allowance allowance(const Algorithm& algorithm, BlockIndex blocks) {
  if (algorithm.name != "two_tree") return {};
  const bool is_scan = algorithm.collective == Collective::scan || algorithm.collective == Collective::exscan;
  const Round silent = blocks == 1 ? 2 : 0;
  return is_scan ? Allowance{blocks == 1 ? 3 : 2, silent} : Allowance{0, silent};
}

void agrees(const Algorithm& algorithm, const Schedule& schedule) {
  const BlockIndex n = schedule.problem.blocks;
  const Pipeline pipeline = algorithm.pipeline(load_of(schedule));
  const auto blocks = static_cast<double>(n);
  const std::string where = std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) +
                            ", p = " + std::to_string(schedule.problem.ranks) + ", n = " + std::to_string(n) +
                            ": ";

  const Round rounds = std::llround(pipeline.per_block * blocks + pipeline.fixed);
  const Allowance allowed = allowance(algorithm, n);
  require(
      rounds >= schedule.rounds && rounds <= schedule.rounds + allowed.rounds_less,
      where + std::to_string(rounds) + " rounds predicted, " + std::to_string(schedule.rounds) + " taken");
  require(silent_rounds(schedule) <= allowed.silent_rounds, where + "a round in which nobody sends");

  const double predicted = pipeline.bytes + pipeline.spread_bytes / blocks;
  const auto through_port = static_cast<double>(effort(schedule).port_blocks);
  require(through_port <= predicted + 1e-9, where + "more passes a port than predicted");
  require(predicted <= static_cast<double>(rounds) * static_cast<double>(largest_message(schedule)) + 1e-9,
          where + "more bytes predicted than all rounds can carry");
}

}  // namespace

int main() try {
  for (const Algorithm& algorithm : algorithms()) {
    if (is_inter_group(algorithm.collective)) continue;  // in test_inter_group.cpp
    for (Rank ranks = 2; ranks <= 33; ++ranks) {
      for (const BlockIndex blocks : {1, 2, 5, 8}) {
        const Problem problem{algorithm.collective, ranks, 0, blocks};
        if (!algorithm.solves(problem)) continue;  // what needs hosts is in test_hosts.cpp
        const Schedule schedule = algorithm.schedule(problem);
        require(schedule.problem.blocks == blocks || algorithm.pipeline(load_of(schedule)).per_block == 0,
                "who decides on the number of blocks does not take more rounds for more");
        agrees(algorithm, schedule);
      }
    }
  }
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
