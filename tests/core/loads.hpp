// What schedules of tests are to the cost model.
#pragma once

#include "rota/model/bound.hpp"

/// As many bytes as there are blocks, so that bytes are blocks.
inline rota::Load load_of(const rota::Schedule& schedule) {
  using rota::Collective;
  const rota::Problem& problem = schedule.problem;
  const auto n = static_cast<double>(problem.blocks);
  const bool each_has_one_part =
      problem.collective == Collective::scan || problem.collective == Collective::exscan;
  const double owners = each_has_one_part ? 1 : static_cast<double>(rota::owners_of(problem).size());
  rota::Load load{problem.collective, problem.ranks, owners * n, n, n};
  load.placement = rota::placement_of(problem);
  return load;
}
