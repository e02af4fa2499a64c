// Scan and exscan along a chain through all ranks, wherever they run: each passes its prefix on to the next one, when the links between
// their hosts are free.
//
// Statement   after the last round rank r holds the contributions of ranks 0..r (scan) or 0..r - 1 (exscan), in order
// Rounds      K (n - 1) + f + 1, K the most hops out of a host, or into one, over its links, and f the round of the last hop of block 0
//             (chain_turns.hpp). In a row: K = 1, n + p - 2. H hosts of k ranks each, dealt in turn: K = k,
//             k (n - 1) + p - 2 + gcd(H, k)
// Bytes       K m over the busiest host's link: the least possible, for each run of a host's ranks needs a value of its own from those
//             before it (port_bytes_bound). Each rank sends and receives m bytes
// Cost        O(p K) once; of_rank: O(1); one step: O(1); every rank combines m bytes at most
// Needs       p >= 1, n >= 1, hosts
// Source      folklore in a row; the turns at links are Rota's
//
//   2 hosts, dealt in turn: K = 2      round      0     1     2     3     4     5     6     7     8
//   host 0: 0 2 4                      0 -> 1   0.0         0.1         0.2                           rank.block: whose prefix, and
//   host 1: 1 3                        1 -> 2         1.0         1.1         1.2                     which block of it
//                                      2 -> 3                     2.0         2.1         2.2
//                                      3 -> 4                           3.0         3.1         3.2
//
// A chain in n + p - 2 rounds would send K blocks over a link in most of its rounds, and begin K times as late.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == scan or exscan. Throws std::invalid_argument for a problem that is
/// none, or one without hosts.
Schedule chain_on_hosts(const Problem& problem);

/// As many rounds, where hosts are in a row or are dealt ranks in turn; elsewhere about as many.
Pipeline chain_on_hosts_pipeline(const Load& load);

}  // namespace rota
