#include "rota/generators/two_trees/two_tree_allreduce.hpp"

#include "rota/generators/two_trees/two_tree_broadcast.hpp"

namespace rota {

Schedule two_tree_allreduce(const Problem& problem) {
  require_valid(problem);
  const Rank last = problem.ranks - 1;
  const Schedule broadcast = two_tree_broadcast({Collective::broadcast, problem.ranks, last, problem.blocks});
  Problem of_last = problem;
  of_last.owners = {last};
  return then(of_last, reversed(broadcast), broadcast);
}

Pipeline two_tree_allreduce_pipeline(const Load& load) {
  const Pipeline one_way = two_tree_broadcast_pipeline(load);
  return {2 * one_way.per_block, 2 * one_way.fixed, 2 * one_way.bytes, 2 * one_way.spread_bytes, 0.5};
}

}  // namespace rota
