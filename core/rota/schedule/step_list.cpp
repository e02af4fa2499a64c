#include "rota/schedule/step_list.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace rota {

namespace {

using OfRank = std::vector<PlacedStep>;  // in the order of rounds

[[noreturn]] void refuse(const PlacedStep& placed, const std::string& fault) {
  throw std::invalid_argument("rank " + std::to_string(placed.rank) + ", round " +
                              std::to_string(placed.round) + ": " + fault);
}

void require_place(const PlacedStep& placed, Rank ranks) {
  if (placed.rank < 0 || placed.rank >= ranks)
    refuse(placed, "there is no such rank; ranks are 0.." + std::to_string(ranks - 1));
  if (placed.round < 0) refuse(placed, "there is no such round; they are counted from 0");
}

void sort_by_round(OfRank& steps) {
  std::ranges::sort(steps, {}, &PlacedStep::round);
  const auto twice = std::ranges::adjacent_find(steps, {}, &PlacedStep::round);
  if (twice != steps.end()) refuse(*twice, "it has two steps; one port sends and receives once a round");
}

Step step(const OfRank& steps, Round round) {
  const auto found = std::ranges::lower_bound(steps, round, {}, &PlacedStep::round);
  return found != steps.end() && found->round == round ? found->step : Step{};
}

}  // namespace

Schedule schedule_of_steps(const Problem& problem, std::vector<PlacedStep> steps) {
  require_valid(problem);
  Round rounds = 0;
  auto by_rank = std::make_shared<std::vector<OfRank>>(static_cast<std::size_t>(problem.ranks));
  for (PlacedStep& placed : steps) {
    require_place(placed, problem.ranks);
    rounds = std::max(rounds, placed.round + 1);
    (*by_rank)[static_cast<std::size_t>(placed.rank)].push_back(std::move(placed));
  }
  for (OfRank& of_rank : *by_rank) sort_by_round(of_rank);
  return {problem, rounds,
          [by_rank = std::shared_ptr<const std::vector<OfRank>>(by_rank)](Rank rank) -> RankSchedule {
            return [by_rank, rank](Round round) {
              return step((*by_rank)[static_cast<std::size_t>(rank)], round);
            };
          }};
}

}  // namespace rota
