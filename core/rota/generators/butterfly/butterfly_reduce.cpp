#include "rota/generators/butterfly/butterfly_reduce.hpp"
#include <algorithm>

#include "rota/generators/butterfly/halving.hpp"
#include "rota/generators/classic/binomial_scatter.hpp"

namespace rota {

namespace {

/// The part that the root has itself; the root is never out.
BlockIndex part_of_root(const std::vector<Rank>& owners, Rank root) {
  return std::ranges::find(owners, root) - owners.begin();
}

/// The parts come to the root on a binomial tree: at position x is whoever has part x xor the root's, so that
/// a position speaks for parts that adjoin.
Embedded gathering(const Problem& problem) {
  std::vector<Rank> owners;
  owners.reserve(static_cast<std::size_t>(problem.blocks));
  for (BlockIndex part = 0; part < problem.blocks; ++part)
    owners.push_back(halving_owner(problem.ranks, problem.root, part));
  const BlockIndex roots = part_of_root(owners, problem.root);
  std::vector<Rank> at;
  at.reserve(owners.size());
  for (BlockIndex position = 0; position < problem.blocks; ++position)
    at.push_back(owners[static_cast<std::size_t>(position ^ roots)]);
  const Problem among{Collective::allgather, static_cast<Rank>(problem.blocks)};
  return {binomial_gather(among, 0), std::move(at),
          [root = problem.root, roots](Block of_position) { return Block{root, of_position.owner ^ roots}; }};
}

}  // namespace

Schedule butterfly_reduce(const Problem& problem) {
  require_valid(problem);
  Problem in_parts = problem;
  in_parts.blocks = BlockIndex{1} << halvings(problem.ranks);
  return then(in_parts, recursive_halving(in_parts, problem.root),
              side_by_side(in_parts, {gathering(in_parts)}));
}

Pipeline butterfly_reduce_pipeline(const Load& load) {
  Pipeline pipeline = halving_pipeline(load.ranks, load.bytes);
  const double combined = pipeline.bytes;
  const int gathers = halvings(load.ranks);
  pipeline.fixed += gathers;
  for (int i = 1; i <= gathers; ++i) pipeline.bytes += load.bytes / static_cast<double>(std::int64_t{1} << i);
  if (pipeline.bytes > 0) pipeline.combined_part = combined / pipeline.bytes;
  return pipeline;
}

}  // namespace rota
