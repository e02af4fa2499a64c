// Inter-group allgather in two stages, as paper 3 has it: each sender broadcasts its data to every p-th receiver, by a scatter and
// an allgather, and teams of p ranks that have all data between them gather it.
//
// Statement   after the last round every receiver has every sender's data, for every p and q; shares may be unequal
// Rounds      1 + ceil(log2 p) for p >= q; else 2 ceil(log2(1 + ceil(q / p))) + ceil(log2 p)
// Bytes       p k through a receiver's port for p >= q and equal shares of k, the least possible; else about (p + 1) k of time, for
//             the broadcasts take 2 k each
// Cost        O(p log p) bytes and time once; of_rank: O(log p); one step: O(blocks of the message)
// Needs       p, q >= 1; one group has data, the other none. Shares are cut into 1 + ceil(q / p) blocks, whatever the problem's n;
//             whole for p >= q
// Source      paper 3 (Kang et al.), Section III; rota/generators/between_groups/inter_join.hpp is the same with pipelined
//             broadcasts, which take k each
//
//   p = 2, q = 6   broadcasts   0 -> 2 4 6   1 -> 3 5 7      each of four parts, in 2 rounds and 2 rounds
//                  teams        2 3,  4 5,  6 7              one round
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather, if only one group has data; it may be either.
/// Throws std::invalid_argument for a problem that is none or has data in both groups.
Schedule inter_two_stage(const Problem& problem);

/// A fixed number of rounds.
Pipeline inter_two_stage_pipeline(const Load& load);

}  // namespace rota
