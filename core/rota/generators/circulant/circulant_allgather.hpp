// Allgather on the circulant graph: the broadcasts of all owners at once. Every round all ranks r send one message to
// r + skip[k] and receive one from r - skip[k], with one block at most of each owner's data in it.
//
// Statement   after the last round every rank holds all n blocks of every owner, for every p, n and set of owners
// Rounds      n - 1 + ceil(log2 p): no schedule has fewer with one block of each owner in a message
// Bytes       each rank receives every block of every other owner exactly once: m - m_r bytes, the least possible
// Cost        O(p log p) bytes and time once, for all ranks' schedules; of_rank: O(1); one step: O(owners)
// Needs       p >= 1, n >= 1. Shares may differ in size; ranks that contribute nothing are not among the owners, and cost
//             nothing
// Source      paper 1 (Traff 2024), Algorithm 7 and Observation 1.2
//
// p = 5, n = 1, skips 1 2 3: whose blocks rank 0 receives, and from whom; rank r does the same r ranks further on
//
//   round 0   4 <- 4            round 1   3 <- 3            round 2   1 2 <- 2
//   holds     0 4               holds     0 3 4             holds     0 1 2 3 4
//
// With unequal shares the largest one must still pass every port; it does so while others are passed on: the more blocks,
// the nearer a round's bytes come to m / n on every port. With equal shares one block is best.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allgather. Throws std::invalid_argument for a problem that is none.
Schedule circulant_allgather(const Problem& problem);

/// n - 1 + ceil(log2 p) rounds; what one share has more than the mean must be passed on ceil(log2 p) - 1
/// times.
Pipeline circulant_allgather_pipeline(const Load& load);

}  // namespace rota
