// Scan and exscan among ranks that share hosts, on two levels: within each host prefixes grow towards its last rank, its leader; leaders
// pass on what comes before their hosts along a chain over the links; and from the leaders that goes back through the hosts.
//
// Statement   after the last round rank r holds the contributions of ranks 0..r (scan) or 0..r - 1 (exscan), in order
// Rounds      of H >= 2 hosts, the fullest one with S >= 2 ranks: n + H - 2 over links, every other of 2 (n + H) + 2 floor(S / 2) + S - 6
//             at most; a chain through all p ranks takes n + p - 2, of which a block waits for p - 1
// Bytes       each link carries every block once: m bytes, the least possible. Within a host each pair of neighbours carries m each way
// Cost        O(H) once; of_rank: O(1); one step: O(1). A rank combines 2 m bytes, 3 m in an exscan
// Needs       p >= 1, n >= 1, hosts whose ranks are in a row. (Where they are dealt to hosts in turn, no host has a prefix of its own to
//             begin with: chain_on_hosts.)
// Source      Rota; chains within and among hosts as in folklore, both directions within a host by exchanges of odd and even pairs
//
// Of a rank that is d ranks before its leader, edge d leads away from the leader, edge d - 1 towards it; the leader's own edge -1 is the link.
// Edges of odd numbers and the link work in even rounds, the others in odd ones, both ways at once: so a leader is at its link in every
// other round, and in between takes a block of its host's sum, and gives one of what comes before the host.
//
//   3 hosts of 3 ranks, block 0        round 0   0 -> 1: v[0]      3 -> 4: v[3]      6 -> 7: v[6]
//                                      round 1   1 -> 2: v[0..1]   4 -> 5: v[3..4]   7 -> 8: v[6..7]
//   0 - 1 - 2 === 5 === 8              round 2   2 -> 5: v[0..2]     5 combines it into v[3..5]
//             4     7                  round 3   5 -> 4: v[0..2]     4 combines it into v[3..4]
//             3     6                  round 4   4 -> 3: v[0..2]   5 -> 8: v[0..5]
//                                      round 5   8 -> 7: v[0..5]   round 6   7 -> 6: v[0..5]
//
// Block i passes edge d of a host of D edges towards the leader in round 2 i + 2 ceil(D / 2) - 1 - d; the link into host h > 0 in round
// l = 2 (i + h - 1) + 2 ceil(D' / 2), D' the most edges of a host; and edge d of host h away from the leader in round l + 1 + d. So a leader
// has its host's sum before what comes before the host (2 i + 2 ceil(D / 2) - 1 < l) and a rank has sent its own prefix on before that comes
// to it; every one of these rounds has the parity of its edge.
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == scan or exscan. Throws std::invalid_argument for a problem that is
/// none, or one without hosts, or with hosts whose ranks are not in a row.
Schedule hierarchical_scan(const Problem& problem);

Pipeline hierarchical_scan_pipeline(const Load& load);

}  // namespace rota
