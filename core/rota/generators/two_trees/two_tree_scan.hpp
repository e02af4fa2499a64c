// Scan and exscan on two binary trees at once: sums of subtrees go up, then prefixes come down; even blocks use one
// tree, odd blocks the other.
//
// Statement   after the last round rank r holds the contributions of ranks 0..r (scan) or 0..r - 1 (exscan), in order
// Rounds      at most the paper's 4 h - 2 + 2 (n - 2), where p < 2^h and n >= 2; from p = 8 on mostly three to five fewer. For
//             p <= 3 a chain's n + p - 2
// Bytes       up to 2 m bytes through a port each way, m in either phase: twice the least possible
// Cost        of_rank: O(log p); one step: O(1); the schedule: O(log p). A rank combines 2 m bytes at most
// Needs       p >= 1, n >= 1
// Source      paper 4 (Sanders, Speck, Träff 2009), Section 2.3
//
// The trees of rota/trees/two_trees.hpp stand over all p ranks. Of a node j whose subtree is first..last, with v[a..b] for the
// contributions a..b combined:
//
//   up      from the lower child   j - 1: v[first .. j - 1]     into j: v[first .. j]
//           from the higher child  last: v[j + 1 .. last]       j into last: v[first .. last]
//           to the parent          last
//   down    from the parent        first - 1: v[0 .. first - 1]       into j (and, exscan, into j - 1)
//           to the lower child     first - 1
//           to the higher child    j: v[0 .. j]
//
//   p = 8, upright                                  p = 5, mirrored
//
//            7       up      1 -> 3: v[0..2]          0             up      1 -> 2: v[1..1]
//       3                    5 -> 3: v[4..6]              2                 3 -> 4: v[3..3]
//     1   5                  3 -> 7: v[0..6]            1   4       down    0 -> 2: v[0..0]
//    0 2 4 6         down    3 -> 5: v[0..3]               3                2 -> 1: v[0..0]   2 -> 4: v[0..2]
//                            (leaves left out)                              4 -> 3: v[0..2]
//
// Nothing goes up where the subtree reaches the last rank: no sum of it is wanted; nothing comes down to one that begins
// with rank 0. What is left are branches, of which each begins as soon as it can in either phase
// (two_tree_scan_timetable.hpp): up, its edges work in the rounds of a broadcast counted backwards, down as in a broadcast, so
// that the colours keep the two trees apart in both phases. The second phase begins when the first has ended. Of all pairs of
// trees that there are the best for n is taken. A single block may leave rounds in which no edge has its turn.
#pragma once

#include <optional>

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"
#include "rota/trees/two_trees.hpp"

namespace rota {

/// The trees over all ranks that take the fewest rounds for so many blocks; none where a chain is taken.
std::optional<two_trees::Pair> two_tree_scan_trees(Rank ranks, BlockIndex blocks);

/// The schedule for problem.collective == scan or exscan. Throws std::invalid_argument for a problem that is
/// none.
Schedule two_tree_scan(const Problem& problem);

/// 2 n + O(log p) rounds: what odd or what even numbers of blocks, from two on, take, whichever is more; the
/// others take up to two less, a single block up to three. O(log p).
Pipeline two_tree_scan_pipeline(const Load& load);

}  // namespace rota
