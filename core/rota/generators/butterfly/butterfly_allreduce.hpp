// Allreduce on a butterfly: recursive halving, and back. The classic algorithm for long data, for comparison.
//
// Statement   after the last round every rank holds all contributions combined, in the order of ranks
// Rounds      2 log2 p where p is a power of two; else twice those of the halving
// Bytes       2 m (1 - 1/p) through a port where p is a power of two, the least possible; else 3 m of time at most
// Cost        of_rank: O(log^2 p); one step: O(parts of the message)
// Needs       p >= 1. The data is cut into 2^floor(log2 p) parts of one owner, rank 0, whatever the problem's n and owners
// Source      paper 4 (Sanders, Speck, Träff 2009), Section 3.2, where it is a rival: Rabenseifner, Träff 2004
//
//   p = 4   round 0   0 -> 1: 2 3   1 -> 0: 0 1   2 -> 3: 2 3   3 -> 2: 0 1    (rota/generators/butterfly/halving.hpp)
//           round 1   0 -> 2: 1     2 -> 0: 0     1 -> 3: 3     3 -> 1: 2
//           round 2   0 -> 2: 0     2 -> 0: 1     1 -> 3: 2     3 -> 1: 3
//           round 3   0 -> 1: 0 1   1 -> 0: 2 3   2 -> 3: 0 1   3 -> 2: 2 3
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allreduce. Throws std::invalid_argument for a problem that is none.
Schedule butterfly_allreduce(const Problem& problem);

/// A fixed number of rounds; half of what they carry is combined.
Pipeline butterfly_allreduce_pipeline(const Load& load);

}  // namespace rota
