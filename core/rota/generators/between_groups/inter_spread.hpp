// Inter-group allgather by spreading: the data of a group is spread evenly over the ranks of the other, which then gather it
// among themselves; both directions at once.
//
// Statement   after the last round every rank has the data of all ranks of the other group, for every p, q, n, unequal shares
//             and different shares in the two groups
// Rounds      about T / w + n'' - 1 + ceil(log2 q), where T is the most blocks that one rank sends or receives while they are
//             spread, in messages of up to w blocks, and n'' = T' the most that a receiver gets. One block each and p = q:
//             1 + ceil(log2 p)
// Bytes       each rank receives every block of the other group once: max(p k, q l) through the busiest port, the least possible.
//             Time, in bytes: that of the larger group's data, and where that group is also the smaller one by ranks, up to a
//             largest share more, for its ranks then send longer than the others need to receive
// Cost        O(blocks log blocks) time and memory once; one step O(blocks of the message)
// Needs       p, q >= 1
// Source      the balanced spreading is McNaughton's wrap-around rule (1959); the gathering: paper 1, Algorithm 7. The frame is
//             that of paper 3, Section III, and of its reference [2]
//
// The blocks of a group stand in a row, rank after rank, cut into equal intervals for the receivers: block x of X goes to
// receiver floor(x q / X), as number x modulo T of its sender's and its receiver's messages. A sender's blocks, and a receiver's,
// are at most T in a row, so no two of them have the same number.
//
//   p = 3, q = 2, two blocks each (T = 3)       row        0a 0b 1a | 1b 2a 2b
//                                               number      0  1  2    0  1  2
//   round 0   0 -> 3   1 -> 4                   then 3 and 4 exchange what they have, block by block
//   round 1   0 -> 3   2 -> 4
//   round 2   1 -> 3   2 -> 4
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather. Throws std::invalid_argument for a problem that is
/// none.
Schedule inter_spread(const Problem& problem);

/// The same for so many blocks of each rank, as a part of a schedule for `problem`, whatever that is.
Schedule spread_blocks(const Problem& problem, const std::vector<BlockIndex>& counts);

Pipeline inter_spread_pipeline(const Load& load);

}  // namespace rota
