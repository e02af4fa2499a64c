#include "rota/generators/between_groups/inter_allreduce.hpp"

#include <algorithm>
#include <numeric>

#include "rota/generators/between_groups/inter_spread.hpp"
#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/schedule/groups.hpp"

namespace rota {

namespace {

/// Within the group every rank comes to have its own part.
Embedded reducing(const Group& group, BlockIndex blocks) {
  std::vector<Rank> ranks(static_cast<std::size_t>(group.size()));
  std::iota(ranks.begin(), ranks.end(), group.first);
  return {reversed(circulant_allgather({Collective::allgather, group.size(), 0, blocks})), std::move(ranks),
          [first = group.first](Block block) { return Blocks(Block{first + block.owner, block.index}); }};
}

}  // namespace

Schedule inter_allreduce(const Problem& problem) {
  require_valid(problem);
  std::vector<Embedded> reductions;
  for (const Group& group : groups_of(problem)) reductions.push_back(reducing(group, problem.blocks));
  const std::vector<BlockIndex> counts(static_cast<std::size_t>(problem.ranks), problem.blocks);
  return then(problem, side_by_side(problem, std::move(reductions)), spread_blocks(problem, counts));
}

Pipeline inter_allreduce_pipeline(const Load& load) {
  const double p = load.groups[0].ranks;
  const double q = load.groups[1].ranks;
  const double few = std::min(p, q);
  const double many = std::max(p, q);
  // The larger group has the smaller blocks: `many / few` of them for each rank of the other.
  const double rounds = 1 + many / few * (1 + 1 / few);
  const double last = 2.0 * ceil_log2(static_cast<Rank>(many));
  const double bytes = load.bytes * (1 - 1 / many) + load.bytes / few + load.bytes * (1 - 1 / many);
  return {rounds, last, bytes, load.bytes / few * std::min(1.0, last), 0.5};
}

}  // namespace rota
