// Broadcast of n blocks on the circulant graph: every round all ranks r send to r + skip[k] and receive from
// r - skip[k], with k = round mod q, numbered from the root.
//
// Statement   after the last round every rank holds all n blocks of the root, for every p, n and root
// Rounds      n - 1 + ceil(log2 p): no schedule has fewer
// Bytes       each rank receives every block exactly once: m bytes, the least possible
// Cost        of_rank: O(log p); one step: O(1)
// Needs       p >= 1, n >= 1, 0 <= root < p
// Source      paper 1 (Traff 2024), Algorithm 1, with the schedules of Algorithms 5 and 6
//
// p = 8, n = 1 (a binomial tree)        p = 5, skips 1 2 3, n = 2: what ranks 0..4 receive
//
//   0 --> 1                             round   0    1    2    3
//   0 --> 2   1 --> 3                   rank 1  b0   .    .    b1
//   0 --> 4   1 --> 5  2 --> 6  3 --> 7 rank 2  .    b1   .    b0   ... and so on: `rota show circulant --ranks 5`
#pragma once

#include "rota/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast. Throws std::invalid_argument for a problem that is none.
Schedule circulant_broadcast(const Problem& problem);

}  // namespace rota
