// Broadcast of n blocks on the circulant graph: every round all ranks r send to r + skip[k] and receive from
// r - skip[k], with k = round mod q, numbered from the root.
//
// Statement   after the last round every rank holds all n blocks of the root, for every p, n and root
// Rounds      n - 1 + ceil(log2 p): no schedule has fewer
// Bytes       each rank receives every block exactly once: m bytes, the least possible; it sends at most the
//             n - 1 + ceil(log2 p) blocks that the root sends
// Cost        of_rank: O(log p); one step: O(1)
// Needs       p >= 1, n >= 1, 0 <= root < p
// Source      paper 1 (Traff 2024), Algorithm 1, with the schedules of Algorithms 5 and 6
//
// p = 8, n = 1 (a binomial tree)          p = 5, n = 3, skips 1 2 3, first round k = 1: block <- from
//
//   round 0   0 -> 1                        round    0      1      2      3      4
//   round 1   0 -> 2  1 -> 3                rank 1   .      .    2 <- 0 1 <- 4 0 <- 3
//   round 2   0 -> 4  1 -> 5                rank 2 0 <- 0   .      .    2 <- 0 1 <- 4
//             2 -> 6  3 -> 7                rank 3   .    1 <- 0 0 <- 2   .    2 <- 0
//                                           rank 4   .      .    1 <- 3 0 <- 2 2 <- 1
//
// `rota show circulant --ranks 5` prints the schedules behind it.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast. Throws std::invalid_argument for a problem that is none.
Schedule circulant_broadcast(const Problem& problem);

/// n - 1 + ceil(log2 p) rounds, all alike.
Pipeline circulant_broadcast_pipeline(const Load& load);

}  // namespace rota
