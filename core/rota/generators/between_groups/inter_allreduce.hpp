// Allreduce between groups: each group reduces its data to a part on each of its ranks, the parts are spread over the other
// group, and that gathers them; both directions at once.
//
// Statement   after the last round every rank has all parts of the other group's data, each combined of all its ranks, for every
//             p, q, n and operators that commute
// Rounds      p = q, n = 1: 2 ceil(log2 p) + 1
// Bytes       m (p - 1) / p + m / min(p, q) + m (q - 1) / q at most: for p = q that is 2 m (2p - 1) / 2p, the least possible
// Cost        that of the circulant allgather and of spreading
// Needs       p, q >= 1, an operator that is associative and commutes
// Source      paper 1 (Traff 2024), Observation 1.4, and rota/generators/between_groups/inter_spread.hpp
//
//   p = q = 2      round 0   0 <-> 1   2 <-> 3      halves combined in both groups
//                  round 1   0 <-> 2   1 <-> 3      exchanged
//                  round 2   0 <-> 1   2 <-> 3      gathered
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allreduce: a group's data is cut into a part for each of its
/// ranks, each in n blocks. Throws std::invalid_argument for a problem that is none.
Schedule inter_allreduce(const Problem& problem);

Pipeline inter_allreduce_pipeline(const Load& load);

}  // namespace rota
