// Inter-group allgather in teams: each sender broadcasts its data to every p-th receiver, then p ranks that have all data
// between them gather it. Where receivers are too few for a team, senders join it.
//
// Statement   after the last round every receiver has every sender's data, for every p, q and n; shares may be unequal
// Rounds      n' - 1 + ceil(log2(1 + ceil(q / p))) + n - 1 + ceil(log2 p), where n' = ceil(n / p). n = 1 and p >= q:
//             1 + ceil(log2 p), as in the paper
// Bytes       each receiver receives every block once: p k for p equal shares of k, the least possible. (The paper broadcasts
//             2 k in place of k where p < q.) What senders in a team receive costs nobody time
// Cost        O(p log p) bytes and time once, and O(n) for each of an owner's messages; of_rank: O(log p)
// Needs       p, q >= 1; one group has data, the other none
// Source      paper 3 (Kang et al.), Section III; the broadcasts and allgathers: paper 1
//
//   p = 4, q = 2      round 0      0 -> 4   1 -> 5               0 and 1 reach a receiver each
//                     team         4 5 2 3                       their data and that of 2 and 3, in 2 rounds
//
//   p = 2, q = 5      broadcasts   0 -> 2 4 6   1 -> 3 5         in n' - 1 + 2 rounds
//                     teams        2 3,  4 5,  6 1               one round each
//
// n' and not n blocks in the broadcasts, so that messages are of about the same size before and after.
#pragma once

#include <functional>

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather, if only one group has data; it may be either.
/// Throws std::invalid_argument for a problem that is none or has data in both groups.
Schedule inter_join(const Problem& problem);

/// How a team's first rank broadcasts its data among so many: a schedule from rank 0.
using TeamBroadcast = std::function<Schedule(Rank)>;

/// The same with other broadcasts, and each owner's data gathered in so many blocks.
Schedule inter_in_teams(const Problem& problem, const TeamBroadcast& broadcast, BlockIndex gathered_blocks);

Pipeline inter_join_pipeline(const Load& load);

}  // namespace rota
