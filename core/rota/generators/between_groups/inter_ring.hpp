// Inter-group allgather on a ring: from p senders 0..p-1 to q receivers p..p+q-1, neighbours only.
//
// Statement   after the last round every receiver has every sender's data, for every p and q; ranks send to rank + 1 and
//             rank - 1 modulo p + q only
// Rounds      p + ceil(q / 2), and p for q = 1: at most one more than the p + floor((q - 1) / 2) that any schedule needs, for
//             no data reaches the middle receiver before round ceil(q / 2), and then it takes p rounds to receive all
// Bytes       each receiver receives every sender's data once, or where sequences meet, for even p and q, some of it twice
// Cost        O((p + q) p) time and memory once; of_rank O(1); one step O(log(p + q))
// Needs       p, q >= 1; one group has data, the other none. Each sender's data is one block, whatever the problem says
// Source      paper 3 (Kang et al.), Algorithm 1 with its extension to p > q, Algorithm 3 corrected; odd p or q: below
//
// Sequences of messages travel around the ring. #1 goes right from the senders p/2.., back to back; #2 goes left from the
// others; #3 sends #2's messages to the right too, every other round, so that they meet halfway; where p < q, #4 likewise
// sends #1's to the left. (p, q even; h = min(p, q) / 2 is the first message of #1.)
//
//   p = 2, q = 4: whose data each rank receives, > from the left, < from the right
//
//               0  1 |  2  3  4  5
//   round 0     .  . | >1  .  . <0      #1: 1 goes right       #2: 0 goes left
//   round 1    <1 >0 |  . >1 <0  .      #3: 0 goes right too   #4: 1 goes left too
//   round 2     .  . | >0  . >1 <1
//   round 3     .  . |  . >0  . >1
//
// An odd p or q is made even by a rank that is not there: the sender h, or the receiver in the middle. What passes it is
// passed on directly, what only it would wait for is left out, and every message then goes as early as ports allow, in the
// order in which it went before. That this takes the rounds above, the tests show for p, q <= 64.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather, if only one group has data; it may be either.
/// Throws std::invalid_argument for a problem that is none or has data in both groups.
Schedule inter_ring(const Problem& problem);

Pipeline inter_ring_pipeline(const Load& load);

/// No schedule on a ring from p to q neighbouring ranks takes fewer rounds: p + floor((q - 1) / 2).
Round inter_ring_least_rounds(Rank senders, Rank receivers);

}  // namespace rota
