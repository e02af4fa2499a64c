#include "rota/generators/between_groups/inter_circulant.hpp"

#include <numeric>

#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/schedule/groups.hpp"

namespace rota {

Schedule inter_circulant(const Problem& problem) {
  require_valid(problem);
  const std::vector<BlockIndex> counts = block_counts(problem);
  std::vector<Rank> everyone(static_cast<std::size_t>(problem.ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  Problem among_all{Collective::allgather, problem.ranks, 0, problem.blocks, owners_among(counts)};
  if (among_all.owners.empty()) return nothing(problem);
  Embedded all{circulant_allgather(among_all), std::move(everyone), {}};
  all.blocks = [counts, n = problem.blocks](Block block) {
    return part_of(block.owner, counts[static_cast<std::size_t>(block.owner)], n, block.index);
  };
  return side_by_side(problem, {std::move(all)});
}

Pipeline inter_circulant_pipeline(const Load& load) {
  const double bytes = load.groups[0].bytes + load.groups[1].bytes;
  return circulant_allgather_pipeline(
      {Collective::allgather, load.ranks, bytes, load.smallest_share_bytes, load.largest_share_bytes});
}

}  // namespace rota
