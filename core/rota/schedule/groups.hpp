// Two groups of ranks, and how much each rank has for the other group: what collectives between groups are about.
//
//   p = 3, q = 2     first group 0 1 2, second group 3 4
//
// Half duplex: only one group has data, the other receives it. Full duplex: both. In an inter_allgather all blocks have the
// same size, whoever owns them (the last of each owner's may be a little smaller): the largest share is cut into n blocks,
// a smaller one into as many as it fills. So schedules may count blocks instead of bytes.
#pragma once

#include <array>
#include <cstdint>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// The ranks first..end - 1.
struct Group {
  Rank first = 0;
  Rank end = 0;

  Rank size() const { return end - first; }
  bool has(Rank rank) const { return rank >= first && rank < end; }
};

/// The two groups of a problem between groups, the first one first.
std::array<Group, 2> groups_of(const Problem& problem);

/// The group that `rank` is in, and the one that it is not in.
Group own_group(const Problem& problem, Rank rank);
Group other_group(const Problem& problem, Rank rank);

/// How many blocks the data of each rank has in an inter_allgather. O(ranks).
std::vector<BlockIndex> block_counts(const Problem& problem);

/// `units` in `parts` parts whose sizes differ by one at most, the larger ones first: where part k begins.
constexpr std::int64_t cut_begin(std::int64_t units, std::int64_t parts, std::int64_t part) {
  const std::int64_t larger = units % parts;
  return part * (units / parts) + (part < larger ? part : larger);
}

/// An allgather from p ranks of `first_bytes` each to q ranks that have `second_bytes` each for them, in n
/// blocks. Throws std::invalid_argument for a problem that is none.
Problem inter_allgather_problem(std::array<Rank, 2> sizes, std::array<std::int64_t, 2> share_bytes,
                                BlockIndex blocks);

}  // namespace rota
