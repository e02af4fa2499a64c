// Allgather, reduce-scatter and allreduce on a ring: every rank passes on to the next rank what it last received.
//
// Statement   allgather: after the last round every rank holds every owner's data. reduce_scatter: every owner
//             holds all contributions to its part. allreduce: every rank all contributions to all parts
// Rounds      p - 1; allreduce 2 (p - 1)
// Bytes       each rank receives every other owner's data exactly once: m - m_r bytes, the least possible
// Cost        of_rank: O(1); one step: O(1)
// Needs       p >= 1, n >= 1; for the reductions an operator that commutes: a part collects its contributions in the
//             order of the ring, which begins elsewhere for each of them
// Source      folklore
//
// In round i rank r sends the data of owner r - i to r + 1. Whose data each rank receives:
//
//   p = 8     rank 0 1 2 3 4 5 6 7                p = 5     rank 0 1 2 3 4
//   round 0        7 0 1 2 3 4 5 6                round 0        4 0 1 2 3
//   round 1        6 7 0 1 2 3 4 5                round 1        3 4 0 1 2
//   ...                                           round 2        2 3 4 0 1
//   round 6        1 2 3 4 5 6 7 0                round 3        1 2 3 4 0
//
// Each owner's data is one block, whatever the problem says: more would change nothing.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allgather; backwards, a reduce-scatter. Throws
/// std::invalid_argument for a problem that is none.
Schedule ring_allgather(const Problem& problem);

/// The schedule for problem.collective == allreduce, the data cut into parts of all ranks. Throws
/// std::invalid_argument for a problem that is none.
Schedule ring_allreduce(const Problem& problem);

/// p - 1 rounds; the largest share sets the pace of all of them.
Pipeline ring_allgather_pipeline(const Load& load);
Pipeline ring_allreduce_pipeline(const Load& load);

}  // namespace rota
