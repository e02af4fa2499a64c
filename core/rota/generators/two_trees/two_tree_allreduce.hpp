// Allreduce on two binary trees: a reduce to the last rank, then a broadcast from it, both on the two trees.
//
// Statement   after the last round every rank holds all contributions combined, in the order of ranks
// Rounds      twice those of the two-tree broadcast: about 2 n + 4 log2 p
// Bytes       each rank sends and receives 2 m bytes at most; the least possible are 2 m (p - 1) / p, which no algorithm
//             that keeps the order is known to reach in O(log p) rounds
// Cost        of_rank: O(log p); one step: O(1); the schedule: O(log p)
// Needs       p >= 1, n >= 1. The data belongs to one owner, rank p - 1, whatever the problem's owners
// Source      paper 4 (Sanders, Speck, Träff 2009)
//
//   p = 4, n = 2, and in which rounds    up                to rank 3 and back    down
//     block 0                              0 -1> 1 <2- 2     1 -3> 3 -4> 1         0 <6- 1 -5> 2
//     block 1                              1 -0> 2 -1> 0     0 -2> 3 -5> 0         0 -6> 2 -7> 1
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allreduce; its problem has one owner. Throws std::invalid_argument
/// for a problem that is none.
Schedule two_tree_allreduce(const Problem& problem);

/// Twice the broadcast's.
Pipeline two_tree_allreduce_pipeline(const Load& load);

}  // namespace rota
