// Broadcast and reduce on two binary trees at once: even blocks go through one tree, odd blocks through the other, and
// who is busy passing on blocks in one tree is a leaf of the other.
//
// Statement   broadcast: after the last round every rank holds all n blocks of the root. reduce: the root holds all
//             contributions combined, in the order of ranks if it is rank 0 or p - 1
// Rounds      n + floor(log2(p - 1)) + floor(log2(p + 1)) - 1, for p >= 2: as few as any colouring and any start of such
//             trees allow, but for n = 1 and p = 5 (tests/core/test_two_tree_rounds.cpp)
// Bytes       each rank receives every block once and sends at most n blocks: m bytes, the least possible
// Cost        of_rank: O(log p); one step: O(1); the schedule: O(log p)
// Needs       p >= 1, n >= 1, 0 <= root < p; an operator that commutes unless the root is rank 0 or p - 1
// Source      paper 4 (Sanders, Speck, Träff 2009), Sections 2, 2.1 and 2.2
//
// The trees stand over the p - 1 other ranks, counted from root + 1 on, with their edges coloured as rota/trees/two_trees.hpp
// says: an edge of colour c works in rounds of parity c, and no two edges into or out of one rank meet. The root feeds
// both tops in turn, the first tree's first; with the latest arrivals a and b in the two trees, that is max(a + 2 ceil(n / 2),
// b + 2 floor(n / 2)) - 1 rounds. Of an upright tree and one beside it, one may be done with a block a round sooner than the
// other. For odd n it is the first, for it has a block more; for even n the other, for that begins later. The one beside it is
// mirrored, but shifted if p = 3 mod 4: a mirrored one then mostly takes a round more. The round in which each rank first
// receives, n odd:
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
#include "rota/trees/two_trees.hpp"

namespace rota {

/// The trees over all ranks but the root for so many blocks. Needs ranks >= 2.
two_trees::Pair two_tree_broadcast_trees(Rank ranks, BlockIndex blocks);

/// The schedule for problem.collective == broadcast; backwards, a reduce. Throws std::invalid_argument for a
/// problem that is none.
Schedule two_tree_broadcast(const Problem& problem);

/// Rounds as above, all alike. O(1).
Pipeline two_tree_broadcast_pipeline(const Load& load);

}  // namespace rota
