// Recursive halving: reduce-scatter among any number of ranks, in their order. The first half of the butterfly schedules.
//
// Statement   the data is cut into 2^K parts, K = floor(log2 p); after the last round rank halving_owner(i) holds part i, the
//             contributions of all ranks combined in order
// Rounds      K, and one more for each odd number among p, p / 2, p / 4, ... (rounded down) above 1
// Bytes       m (1 - 1/2^K) through a port where p is a power of two; else 3/2 m of time at most
// Cost        of_rank: O(log^2 p); one step: O(parts of the message)
// Needs       p >= 1
// Source      paper 4 (Sanders, Speck, Träff 2009), Section 3.2, where it is a rival: Rabenseifner, Träff 2004 ("3-2 elimination")
//
// Before level j there are floor(p / 2^j) clusters: intervals of ranks, whose sum of each part one member holds. Of two clusters
// beside each other two ranks with the same parts exchange halves, and each keeps one: a round. Where the number of clusters is
// odd, three of them become one, in two rounds; one rank is out then. (a + b: the sum of the ranks a..b.)
//
//   two    a <-> b    a sends its upper half, b its lower         three   round 0   c -> b: upper    b -> a: lower
//                     a has a + b, lower; b has a + b, upper              round 1   a -> b: upper    c -> a: lower
//
//   p = 5   level 0   0 1   2 3 4      (4 is out)                 p = 6   level 0   0 1   2 3   4 5
//           level 1   0 2   1 3                                           level 1   0 2 4   1 3 5    (4 and 5 are out)
//
// The three are the last clusters before the first level, and the last but two before others, if there are so many. So no rank
// loses the time of a second round twice, but before the last level: clusters that have only been of two are done before level j
// after (1 - 2^-j) m, and three of them after m; the last cluster waits for those once each, so it is done after
// m + m/4 + m/8 + ... at most, which also covers a last level of three.
//
// The root is never out: where it would be the third of three, the first one is, and all is the other way round.
#pragma once

#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// K: the data is cut into 2^K parts.
int halvings(Rank ranks);

/// The rank that ends with that part, if `root` must not be out.
Rank halving_owner(Rank ranks, Rank root, BlockIndex part);

/// The schedule as the first part of one for `problem`, of whose `owner` the parts are the blocks 0..2^K - 1.
Schedule recursive_halving(const Problem& problem, Rank owner);

/// Backwards, without combining: whoever has been left with a part gives it to all that had it. The last part
/// of an allreduce.
Schedule recursive_doubling_of_parts(const Problem& problem, Rank owner);

/// Rounds as above, and the bytes' time, exactly; no part of them said to be combined. O(log p).
Pipeline halving_pipeline(Rank ranks, double bytes);

}  // namespace rota
