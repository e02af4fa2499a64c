// Schedules that a test writes down, step by step.
#pragma once

#include <map>
#include <utility>

#include "rota/schedule/schedule.hpp"

namespace rota {

inline Step sends(Rank to, Block block) {
  Step step;
  step.send = {to, block};
  return step;
}

inline Step receives(Rank from, Block block) {
  Step step;
  step.receive = {from, block};
  return step;
}

/// The steps of all ranks by (rank, round), the others being idle.
inline Schedule by_hand(Rank ranks, Round rounds, std::map<std::pair<Rank, Round>, Step> steps) {
  return {{Collective::allgather, ranks}, rounds, [steps = std::move(steps)](Rank rank) -> RankSchedule {
            return [steps, rank](Round round) {
              const auto found = steps.find({rank, round});
              return found == steps.end() ? Step{} : found->second;
            };
          }};
}

}  // namespace rota
