// Schedules that are known step by step, because somebody else has made them and written them down.
#pragma once

#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// What a rank does in a round.
struct PlacedStep {
  Rank rank = 0;
  Round round = 0;
  Step step;
};

/// The schedule of these steps, in as many rounds as the last of them needs; in other rounds ranks do
/// nothing. Whether they achieve anything, verify says. Throws std::invalid_argument for a problem that is
/// none, a step of what is no rank or round, and two steps of one rank in one round. Time and memory O(steps
/// log steps + ranks); of_rank O(1); a step O(log of the rank's steps).
Schedule schedule_of_steps(const Problem& problem, std::vector<PlacedStep> steps);

}  // namespace rota
