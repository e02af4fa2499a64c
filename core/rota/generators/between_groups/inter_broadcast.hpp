// Broadcast and reduce between groups: a rank of one group, the root, and all ranks of the other.
//
// Statement   broadcast: every rank of the other group has all n blocks of the root. Reduce: the root has the parts of all ranks
//             of the other group combined, and its own is not among them. For every p, q, n and root
// Rounds      those of the broadcast or reduce among q + 1 ranks that it is made of: circulant n - 1 + ceil(log2(q + 1))
// Bytes       likewise; the root's own group takes no part
// Cost        likewise
// Needs       p, q >= 1
// Source      the schedules that it is made of. MPI's MPI_ROOT and MPI_PROC_NULL
//
//   first group 0 1 2, root 1      ranks of the schedule inside      0 1 2 3
//   second group 3 4 5             stand for                         1 3 4 5
//
// In a reduce the root is rank 0 inside, so that the others keep their order; what it receives of a block first is its value.
// As an operator's left operand the root has nothing: a schedule for operators that do not commute sends it its parts in order.
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// From a generator of broadcasts: problem.collective == inter_broadcast. Throws std::invalid_argument for a
/// problem that is none.
Schedule inter_broadcast(const Problem& problem, Schedule (*broadcast)(const Problem&));

/// From a generator of reductions: problem.collective == inter_reduce.
Schedule inter_reduce(const Problem& problem, Schedule (*reduce)(const Problem&));

/// What such a schedule solves: the same among the root, as rank 0, and the other group.
Problem among_root_and_others(const Problem& problem);

}  // namespace rota
