// What broadcasts by a scatter have in common: an allgather follows of what has been scattered.
#pragma once

#include "rota/generators/classic/binomial_scatter.hpp"
#include "rota/generators/counting.hpp"
#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The scatter of the root's data in p parts, and an allgather by the ranks counted from the root on.
inline Schedule scattered_and(const Problem& problem, Schedule (*allgather)(const Problem&)) {
  const Schedule scatter = binomial_scatter(problem);
  const CountedFrom order{problem.ranks, problem.root};
  std::vector<Rank> ranks(static_cast<std::size_t>(problem.ranks));
  for (Rank position = 0; position < problem.ranks; ++position)
    ranks[static_cast<std::size_t>(position)] = order.rank_at(position);
  Embedded gather{allgather({Collective::allgather, problem.ranks}), std::move(ranks),
                  [root = problem.root](Block part) { return Block{root, part.owner}; }};
  return then(scatter.problem, scatter, side_by_side(scatter.problem, {std::move(gather)}));
}

inline Pipeline scattered_pipeline(const Load& load, double gathering_rounds) {
  const double rounds = ceil_log2(load.ranks) + gathering_rounds;
  return {0, rounds, 2 * load.bytes * (load.ranks - 1) / load.ranks, 0};
}

}  // namespace rota
