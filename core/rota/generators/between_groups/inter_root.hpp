// Inter-group allgather through roots: one sender gathers all data, gives it to one receiver, and that broadcasts it. What MPI
// libraries do, for comparison; in both directions at once.
//
// Statement   after the last round every rank has the data of all ranks of the other group, for every p and q; shares may be unequal
// Rounds      of p senders and q receivers: ceil(log2 p) + 1 + 2 ceil(log2 q)
// Bytes       of p equal shares of k: (p - 1) k to the root, p k from root to root, nearly 2 p k in the broadcast, one after the
//             other: nearly 4 p k of time, four times the least possible
// Cost        O(q log q + blocks) time and memory once; of_rank: O(log p); one step: O(blocks of the message)
// Needs       p, q >= 1. Shares are cut into as many blocks as the broadcast's q parts need, whatever the problem's n
// Source      paper 3 (Kang et al.), Section III.A and Table I, where it is what the paper's own algorithm is compared with
//
//   p = 4, q = 4   round 0   1 -> 0: 1   3 -> 2: 3             gather     (rota/generators/classic/binomial_scatter.hpp)
//                  round 1   2 -> 0: 2 3
//                  round 2   0 -> 4: 0 1 2 3                   root to root
//                  round 3   4 -> 6: 2 3                       broadcast  (rota/generators/classic/scatter_allgather.hpp)
//                  round 4   4 -> 5: 1   6 -> 7: 3
//                  round 5   ...                               and two rounds of allgather among 4 5 6 7
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather. Throws std::invalid_argument for a problem that is
/// none.
Schedule inter_root(const Problem& problem);

/// A fixed number of rounds, of all data each part of the way.
Pipeline inter_root_pipeline(const Load& load);

}  // namespace rota
