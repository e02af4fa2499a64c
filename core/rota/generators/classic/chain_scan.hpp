// Scan and exscan along a chain: every rank receives the prefix of the rank before it, combines it with its own
// contribution and passes that on.
//
// Statement   after the last round rank r holds the contributions of ranks 0..r (scan) or 0..r - 1 (exscan), in order
// Rounds      n + p - 2
// Bytes       each rank sends and receives every block at most once: m bytes, the least possible
// Cost        of_rank: O(1); one step: O(1); every rank combines m bytes at most
// Needs       p >= 1, n >= 1
// Source      folklore
//
// p = 8:   0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7     block i of rank r's prefix goes from r to r + 1 in round i + r
// p = 3, n = 2, what rank 1 does:   round 0 receives 0.0, 1.0 = 0.0 op 1.0      round 1 sends 1.0, receives 0.1, ...
//
// The last rank of an exscan has nothing to combine. Where ranks share hosts, chain_on_hosts has the same chain mind their links.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == scan or exscan. Throws std::invalid_argument for a problem that is
/// none.
Schedule chain_scan(const Problem& problem);

/// When a hop of a chain carries which block: block i in round first + i period.
struct ChainHop {
  Round first = 0;
  Round period = 1;

  /// -1: none in this round.
  BlockIndex block_in(Round round) const {
    return round < first || (round - first) % period != 0 ? -1 : (round - first) / period;
  }
};

/// What a rank does in a round of a scan along a chain. The first one has no lower rank, the last one no
/// next.
Step scan_step(const Problem& problem, Rank rank, const ChainHop& from_lower, const ChainHop& to_next,
               Round round);

/// n + p - 2 rounds, all alike.
Pipeline chain_scan_pipeline(const Load& load);

}  // namespace rota
