// Broadcast and reduce on one pipelined binary tree, numbered in order: for comparison with two of them.
//
// Statement   broadcast: after the last round every rank holds all n blocks of the root. reduce: the root holds all
//             contributions combined, in the order of ranks if it is rank 0 or p - 1
// Rounds      2 n - 1 + the latest first arrival, which is 2 h - 2 in a full tree of height h (p = 2^h): each block
//             takes two rounds of every inner node. For p <= 3 the tree is a chain: n + p - 2
// Bytes       an inner node sends 2 m bytes; the leaves, half of the ranks, send nothing
// Cost        of_rank: O(log^2 p); one step: O(1)
// Needs       p >= 1, n >= 1, 0 <= root < p; an operator that commutes unless the root is rank 0 or p - 1
// Source      paper 4 (Sanders, Speck, Träff), Section 2
//
// The root has one child, the top of the upright tree over the p - 1 other ranks (rota/trees/two_trees.hpp), counted
// from root + 1 on. A node that first receives in round t sends to its lower child in round t + 1, to its higher child
// in round t + 2, and so on every two rounds. The round in which each rank receives block 0:
//
//   p = 8, root 7        3: 0                     p = 6, root 5         3: 0
//                  1: 1        5: 2                               1: 1      4: 2
//               0: 2  2: 3  4: 3  6: 4                         0: 2  2: 3
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast; backwards, a reduce. Throws std::invalid_argument for a
/// problem that is none.
Schedule binary_tree_broadcast(const Problem& problem);

/// 2 n + O(log p) rounds, all alike, exact. O(log^2 p).
Pipeline binary_tree_pipeline(const Load& load);

}  // namespace rota
