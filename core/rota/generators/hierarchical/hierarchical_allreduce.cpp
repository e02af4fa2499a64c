#include "rota/generators/hierarchical/hierarchical_allreduce.hpp"

#include "rota/generators/hierarchical/hierarchical.hpp"

namespace rota {

Schedule hierarchical_allreduce(const Problem& problem) {
  Problem of_parts = problem;
  of_parts.owners.clear();
  of_parts.owners = leaders_of(of_parts);  // of each host's lanes, in increasing order
  Problem to_gather = of_parts;
  to_gather.collective = Collective::allgather;
  const Schedule gather = hierarchical_allgather(to_gather);
  return then(of_parts, reversed(gather), gather);
}

Pipeline hierarchical_allreduce_pipeline(const Load& load) {
  const Placement& at = load.placement;
  const double links = ceil_log2(at.hosts) - 1;
  const double within = ceil_log2(at.most_ranks) - 1;
  // A leader combines what its host's ranks have, and then what comes over its link.
  return {.per_block = 2,
          .fixed = 2 * links,
          .bytes = lane_bytes(load),
          .combined_part = 1,
          .silent_per_block = 2,
          .silent_fixed = 2 * within,
          .silent_spread_bytes = 2 * within * load.bytes};
}

}  // namespace rota
