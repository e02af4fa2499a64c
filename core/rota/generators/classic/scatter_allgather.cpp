#include "rota/generators/classic/scatter_allgather.hpp"

#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/generators/classic/scattered.hpp"

namespace rota {

Schedule scatter_allgather(const Problem& problem) { return scattered_and(problem, circulant_allgather); }

Pipeline scatter_allgather_pipeline(const Load& load) {
  return scattered_pipeline(load, ceil_log2(load.ranks));
}

}  // namespace rota
