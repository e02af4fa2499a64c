// Allreduce by recursive doubling: in every round two ranks exchange all they have and both combine it.
//
// Statement   after the last round every rank holds all contributions combined, in the order of ranks
// Rounds      log2 p where p is a power of two: the least possible; else floor(log2 p) + 2 = ceil(log2 p) + 1
// Bytes       each rank sends and receives all m bytes in every round that it takes part in
// Cost        of_rank: O(1); one step: O(1)
// Needs       p >= 1. The data stays whole: one block of one owner, rank 0, whatever the problem's n and owners
// Source      folklore
//
// p = 8                                       p = 6: the first 2 (6 - 4) ranks fold in pairs, and unfold at the end
//
//   round 0   0 1   2 3   4 5   6 7             round 0   1 -> 0   3 -> 2
//   round 1   0 2   1 3   4 6   5 7             round 1   01 23    4 5         (ranks 0 and 2, 4 and 5)
//   round 2   0 4   1 5   2 6   3 7             round 2   0 4      2 5
//                                               round 3   0 -> 1   2 -> 3
//
// After x exchanges a rank holds the sum of one of the aligned groups of 2^x (folded) ranks, consecutive ones, and its
// peer that of the group beside it: the lower group's sum goes on the left.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allreduce; its problem has one block of one owner. Throws
/// std::invalid_argument for a problem that is none.
Schedule recursive_doubling_allreduce(const Problem& problem);

/// A fixed number of rounds, each with all the data; the unfolding combines nothing.
Pipeline recursive_doubling_allreduce_pipeline(const Load& load);

}  // namespace rota
