#include "rota/generators/circulant/circulant_allreduce.hpp"

#include "rota/generators/circulant/circulant_allgather.hpp"

namespace rota {

Schedule circulant_allreduce(const Problem& problem) {
  const Schedule gather = circulant_allgather({Collective::allgather, problem.ranks, 0, problem.blocks});
  Problem of_parts = problem;
  of_parts.owners.clear();
  return then(of_parts, reversed(gather), gather);
}

Pipeline circulant_allreduce_pipeline(const Load& load) {
  const double q = ceil_log2(load.ranks);
  return {2, 2 * (q - 1), port_bytes_bound(load), 0, 0.5};
}

}  // namespace rota
