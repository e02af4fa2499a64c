// Broadcast as a scatter and an allgather on a ring: what MPI libraries do with long data, for comparison.
//
// Statement   after the last round every rank holds all of the root's data
// Rounds      ceil(log2 p) + p - 1
// Bytes       as by scatter_allgather: nearly 2 m of time, twice the least possible
// Cost        O(p) bytes and time once; of_rank: O(1); one step: O(1), O(p) while the data is scattered
// Needs       p >= 1, 0 <= root < p. The data is cut into p parts, whatever the problem's n
// Source      paper 4 (Sanders, Speck, Träff 2009), Section 3.1, where MVAPICH's is a rival; Thakur, Rabenseifner, Gropp 2005
//
//   p = 4   round 0   0 -> 2: 2 3          scatter            (rota/generators/classic/binomial_scatter.hpp)
//           round 1   0 -> 1: 1  2 -> 3: 3
//           round 2   r -> r + 1: r        allgather          (rota/generators/classic/ring.hpp)
//           round 3   r -> r + 1: r - 1
//           round 4   r -> r + 1: r - 2
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast. Throws std::invalid_argument for a problem that is none.
Schedule scatter_ring(const Problem& problem);

/// A fixed number of rounds; each half passes a port with all parts but one.
Pipeline scatter_ring_pipeline(const Load& load);

}  // namespace rota
