// Scan and exscan by doubling distances: in round k every rank r sends the sum of the 2^k contributions that end with
// its own to r + 2^k.
//
// Statement   after the last round rank r holds the contributions of ranks 0..r (scan) or 0..r - 1 (exscan), in order
// Rounds      ceil(log2 p): the least possible, for both
// Bytes       up to m bytes in each round: m ceil(log2 p)
// Cost        of_rank: O(1); one step: O(1). A scan combines m bytes in every round, an exscan up to 2 m
// Needs       p >= 1. The data stays whole: one block, whatever the problem's n
// Source      folklore (Hillis and Steele 1986)
//
// p = 8, whose contributions a rank's own block holds after round 0, 1, 2     p = 5, exscan: block of the rank before
//
//   rank      0     1     2     3     4     5     6     7                     rank      1     2     3     4
//   round 0   0    01    12    23    34    45    56    67                     round 0   0     1     2     3
//   round 1   0    01   012  0123  1234  2345  3456  4567                     round 1   0    01   012   123
//   round 2   0    01   012  0123  0-4   0-5   0-6   0-7                      round 2   0    01   012  0123
//
// Round k brings rank r the block of r - 2^k. A scan combines it into the block of r. In an exscan rank r also keeps the
// same sum without its own contribution, as the block of r - 1: round 0 brings it, later rounds add to both sums, to the
// block of r only for as long as it is to be sent again.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == scan or exscan; its problem has one block. Throws
/// std::invalid_argument for a problem that is none.
Schedule recursive_doubling_scan(const Problem& problem);

/// ceil(log2 p) rounds, each with all the data.
Pipeline recursive_doubling_scan_pipeline(const Load& load);

}  // namespace rota
