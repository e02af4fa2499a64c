#include "rota/generators/between_groups/inter_by_allgather.hpp"

#include <numeric>

#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/schedule/groups.hpp"

namespace rota {

Schedule inter_by_allgather(const Problem& problem,
                            const std::function<Schedule(const Problem&)>& allgather) {
  require_valid(problem);
  const std::vector<BlockIndex> counts = block_counts(problem);
  std::vector<Rank> everyone(static_cast<std::size_t>(problem.ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  Problem among_all{Collective::allgather, problem.ranks, 0, problem.blocks, owners_among(counts)};
  among_all.hosts = problem.hosts;
  if (among_all.owners.empty()) return nothing(problem);
  Embedded all{allgather(among_all), std::move(everyone), {}};
  all.blocks = [counts, n = problem.blocks](Block block) {
    return part_of(block.owner, counts[static_cast<std::size_t>(block.owner)], n, block.index);
  };
  return side_by_side(problem, {std::move(all)});
}

Load load_of_allgather(const Load& load) {
  Load among_all{Collective::allgather, load.ranks, load.groups[0].bytes + load.groups[1].bytes,
                 load.smallest_share_bytes, load.largest_share_bytes};
  among_all.placement = load.placement;
  return among_all;
}

}  // namespace rota
