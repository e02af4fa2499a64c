// What many generators count: ranks from a root on, and the blocks that exist.
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// The ranks counted from `first` on, around past the last rank: `first` is at position 0. O(1).
struct CountedFrom {
  Rank ranks;
  Rank first;

  Rank position_of(Rank rank) const { return rank >= first ? rank - first : rank + (ranks - first); }
  Rank rank_at(Rank position) const { return static_cast<Rank>((std::int64_t{position} + first) % ranks); }
};

/// Block `index` of `owner` as a message, empty where there is no such block among the n of `problem`: before
/// the first and after the last one a pipeline carries nothing.
inline Blocks block_if_any(const Problem& problem, Rank owner, BlockIndex index) {
  if (index < 0 || index >= problem.blocks) return {};
  return Block{owner, index};
}

}  // namespace rota
