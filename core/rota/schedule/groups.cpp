#include "rota/schedule/groups.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace rota {

std::array<Group, 2> groups_of(const Problem& problem) {
  return {Group{0, problem.first_group}, Group{problem.first_group, problem.ranks}};
}

Group own_group(const Problem& problem, Rank rank) {
  return groups_of(problem)[rank < problem.first_group ? 0 : 1];
}

Group other_group(const Problem& problem, Rank rank) {
  return groups_of(problem)[rank < problem.first_group ? 1 : 0];
}

std::vector<BlockIndex> block_counts(const Problem& problem) {
  std::vector<BlockIndex> counts(problem.shares.size());
  const std::int64_t largest = counts.empty() ? 0 : std::ranges::max(problem.shares);
  if (largest == 0) return counts;
  const std::int64_t block_bytes = (largest - 1) / problem.blocks + 1;
  std::ranges::transform(problem.shares, counts.begin(), [&](std::int64_t bytes) {
    return bytes / block_bytes + (bytes % block_bytes == 0 ? 0 : 1);
  });
  return counts;
}

Problem inter_allgather_problem(std::array<Rank, 2> sizes, std::array<std::int64_t, 2> share_bytes,
                                BlockIndex blocks) {
  if (sizes[0] < 1 || sizes[1] < 1) throw std::invalid_argument("an empty group; give each at least 1 rank");
  if (sizes[0] > std::numeric_limits<Rank>::max() - sizes[1])
    throw std::invalid_argument("two groups of more than 2147483647 ranks; give fewer");
  Problem problem{Collective::inter_allgather, sizes[0] + sizes[1], 0, blocks};
  problem.first_group = sizes[0];
  problem.shares.assign(static_cast<std::size_t>(problem.ranks), share_bytes[1]);
  std::fill_n(problem.shares.begin(), sizes[0], share_bytes[0]);
  require_valid(problem);
  return problem;
}

}  // namespace rota
