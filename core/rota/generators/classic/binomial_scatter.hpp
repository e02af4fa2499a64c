// Parts of data on a binomial tree: scattered from a root, or gathered at it. Halves of other schedules.
//
// Statement   scatter: part i of the root's data, block i of p, comes to position i, counted from the root on. gather: the root
//             holds the block of every rank
// Rounds      ceil(log2 p): the least possible
// Bytes       the root sends, or receives, all parts but its own once: m (p - 1) / p, the least possible; so does each rank those
//             of the positions it speaks for
// Cost        of_rank: O(1); one step: O(parts of the message)
// Needs       p >= 1, 0 <= root < p
// Source      folklore
//
// In round k of q = ceil(log2 p) position s, a multiple of 2^(q - k), sends the parts from s + d on, d of them at most, to s + d,
// where d = 2^(q - k - 1). Backwards, the positions that a position speaks for come to it.
//
//   p = 8   round 0   0 -> 4: 4 5 6 7                                 p = 5   round 0   0 -> 4: 4
//           round 1   0 -> 2: 2 3     4 -> 6: 6 7                             round 1   0 -> 2: 2 3
//           round 2   0 -> 1: 1  2 -> 3: 3  4 -> 5: 5  6 -> 7: 7              round 2   0 -> 1: 1   2 -> 3: 3
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// The scatter as the first part of a schedule for problem.collective == broadcast, in p blocks.
Schedule binomial_scatter(const Problem& problem);

/// The gather at `root` as the first part of a schedule for problem.collective == allgather, one block each.
Schedule binomial_gather(const Problem& problem, Rank root);

}  // namespace rota
