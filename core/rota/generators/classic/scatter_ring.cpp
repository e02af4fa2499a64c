#include "rota/generators/classic/scatter_ring.hpp"

#include "rota/generators/classic/ring.hpp"
#include "rota/generators/classic/scattered.hpp"

namespace rota {

Schedule scatter_ring(const Problem& problem) { return scattered_and(problem, ring_allgather); }

Pipeline scatter_ring_pipeline(const Load& load) { return scattered_pipeline(load, load.ranks - 1); }

}  // namespace rota
