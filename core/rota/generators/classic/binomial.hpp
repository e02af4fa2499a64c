// Broadcast and reduce on a binomial tree, one block after the other: the classic algorithm, for comparison.
//
// Statement   broadcast: after the last round every rank holds all n blocks of the root. reduce: the root holds all
//             contributions combined, in the order of ranks if it is rank 0
// Rounds      n ceil(log2 p): the least possible for n = 1 only
// Bytes       the root sends every block ceil(log2 p) times; every rank receives it once
// Cost        of_rank: O(1); one step: O(1)
// Needs       p >= 1, n >= 1, 0 <= root < p; an operator that commutes unless the root is rank 0
// Source      folklore
//
// Counted from the root, q = ceil(log2 p): in round i q + k block i goes from every multiple s of 2^(q - k) to
// s + 2^(q - k - 1). So s speaks for the ranks s .. s + 2^(q - k) - 1, and backwards it collects their sum in order.
//
//   p = 8, n = 1                                p = 5, n = 1
//
//   round 0   0 -> 4                            round 0   0 -> 4
//   round 1   0 -> 2   4 -> 6                   round 1   0 -> 2
//   round 2   0 -> 1   2 -> 3   4 -> 5   6 -> 7 round 2   0 -> 1   2 -> 3
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast; backwards, a reduce. Throws std::invalid_argument for a
/// problem that is none.
Schedule binomial_broadcast(const Problem& problem);

/// n ceil(log2 p) rounds, all alike.
Pipeline binomial_pipeline(const Load& load);

}  // namespace rota
