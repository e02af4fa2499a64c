// Broadcast and reduce on two binary trees at once: even blocks go through one tree, odd blocks through the other, and
// who is busy passing on blocks in one tree is a leaf of the other.
//
// Statement   broadcast: after the last round every rank holds all n blocks of the root. reduce: the root holds all
//             contributions combined, in the order of ranks if it is rank 0 or p - 1
// Rounds      max(a + 2 ceil(n / 2), b + 2 floor(n / 2)) - 1, where a and b are the latest first arrivals in the two
//             trees (n = 1: a + 1); both are at most 2 ceil(log2 p). About n + 2 log2 p
// Bytes       each rank receives every block once and sends at most n blocks: m bytes, the least possible
// Cost        of_rank: O(log p); one step: O(1); the schedule: O(log^2 p)
// Needs       p >= 1, n >= 1, 0 <= root < p; an operator that commutes unless the root is rank 0 or p - 1
// Source      paper 4 (Sanders, Speck, Träff 2009), Sections 2, 2.1 and 2.2
//
// The trees stand over the p - 1 other ranks, counted from root + 1 on, with their edges coloured as rota/trees/two_trees.hpp
// says: an edge of colour c works in rounds of parity c, and no two edges into or out of one rank meet. The root feeds
// both tops in turn. The round in which each rank first receives:
//
//   p = 8, root 7                                          p = 6, root 5
//   even blocks               odd blocks                   even blocks          odd blocks
//          3: 0               0: 1                               3: 0           0: 1
//     1: 1      5: 2                4: 2                      1: 1   4: 2           2: 2
//   0: 2 2: 3 4: 3 6: 4         2: 4      6: 3              0: 2 2: 3             1: 4  4: 3
//                             1: 6 3: 5 5: 5                                           3: 5
//
// A single block may leave rounds in which no edge has its turn.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast; backwards, a reduce. Throws std::invalid_argument for a
/// problem that is none.
Schedule two_tree_broadcast(const Problem& problem);

/// n + max(a, b - 1) rounds, all alike: what odd or what even numbers of blocks take, whichever is more; the
/// others take one less. O(log^2 p).
Pipeline two_tree_broadcast_pipeline(const Load& load);

}  // namespace rota
