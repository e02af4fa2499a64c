// What schedules between groups have in common: an owner's blocks in parts, and who owns any.
#pragma once

#include <vector>

#include "rota/schedule/groups.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// Part `part` of `parts` of an owner's blocks, of which there are `count`; perhaps none.
inline Blocks part_of(Rank owner, BlockIndex count, std::int64_t parts, std::int64_t part) {
  const BlockIndex first = cut_begin(count, parts, part);
  const BlockIndex end = cut_begin(count, parts, part + 1);
  if (end == first + 1) return Block{owner, first};
  std::vector<Block> blocks;
  for (BlockIndex index = first; index < end; ++index) blocks.push_back({owner, index});
  return Blocks(std::move(blocks));
}

/// The positions of counts above 0.
inline std::vector<Rank> owners_among(const std::vector<BlockIndex>& counts) {
  std::vector<Rank> owners;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) owners.push_back(static_cast<Rank>(i));
  }
  return owners;
}

/// Does the first group, or the second, have any data?
inline std::array<bool, 2> groups_with_data(const Problem& problem) {
  std::array<bool, 2> result{};
  for (Rank rank = 0; rank < problem.ranks; ++rank) {
    if (problem.shares[static_cast<std::size_t>(rank)] > 0) result[rank < problem.first_group ? 0 : 1] = true;
  }
  return result;
}

/// Does at most one group have data?
inline bool is_half_duplex(const Problem& problem) {
  const auto [first, second] = groups_with_data(problem);
  return !first || !second;
}

/// The group with data in a half-duplex problem (the first, if there is none).
inline Group senders_of(const Problem& problem) {
  return groups_of(problem)[groups_with_data(problem)[1] ? 1 : 0];
}

}  // namespace rota
