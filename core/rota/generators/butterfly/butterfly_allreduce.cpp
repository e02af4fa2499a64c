#include "rota/generators/butterfly/butterfly_allreduce.hpp"

#include "rota/generators/butterfly/halving.hpp"

namespace rota {

Schedule butterfly_allreduce(const Problem& problem) {
  require_valid(problem);
  Problem in_parts = problem;
  in_parts.root = 0;
  in_parts.owners = {0};
  in_parts.blocks = BlockIndex{1} << halvings(problem.ranks);
  return then(in_parts, recursive_halving(in_parts, 0), recursive_doubling_of_parts(in_parts, 0));
}

Pipeline butterfly_allreduce_pipeline(const Load& load) {
  Pipeline pipeline = halving_pipeline(load.ranks, load.bytes);
  pipeline.fixed *= 2;
  pipeline.bytes *= 2;
  pipeline.combined_part = 0.5;
  return pipeline;
}

}  // namespace rota
