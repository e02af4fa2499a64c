// Reduce on a butterfly: recursive halving, and a gather at the root. The classic algorithm for long data, for comparison.
//
// Statement   after the last round the root holds all contributions combined, in the order of ranks, whatever the root
// Rounds      2 log2 p where p is a power of two; else those of the halving and floor(log2 p)
// Bytes       2 m (1 - 1/p) through the root's port where p is a power of two; else 5/2 m of time at most
// Cost        O(p) bytes and time once; of_rank: O(log^2 p); one step: O(parts of the message)
// Needs       p >= 1, 0 <= root < p. The data is cut into 2^floor(log2 p) parts, whatever the problem's n
// Source      paper 4 (Sanders, Speck, Träff 2009), Section 3.2, where it is a rival: Rabenseifner, Träff 2004
//
//   p = 4, root 0   round 0   0 -> 1: 2 3   1 -> 0: 0 1   2 -> 3: 2 3   3 -> 2: 0 1    (rota/generators/butterfly/halving.hpp)
//                   round 1   0 -> 2: 1     2 -> 0: 0     1 -> 3: 3     3 -> 1: 2
//                   round 2   2 -> 0: 1     3 -> 1: 3                                  (rota/generators/classic/binomial_scatter.hpp)
//                   round 3   1 -> 0: 2 3
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == reduce. Throws std::invalid_argument for a problem that is none.
Schedule butterfly_reduce(const Problem& problem);

/// A fixed number of rounds; what is gathered is not combined.
Pipeline butterfly_reduce_pipeline(const Load& load);

}  // namespace rota
