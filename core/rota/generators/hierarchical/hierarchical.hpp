// Broadcast and allgather among ranks that share hosts: one rank of each host for each of its links, a leader, plays the circulant
// allgather over that link, and passes on what comes in, as it comes, to the other ranks of its host.
//
// Statement   after the last round every rank holds all n blocks of every owner, for every p, n, set of owners, placement and
//             number of links
// Rounds      of H hosts with k lanes, the fullest one with R owners and S ranks: L - 1 + ceil(log2 H) over links, L =
//             ceil(R n / k), in turns with L - 1 + ceil(log2 S) within hosts; and where another than each lane's leader
//             owns what leaves by it, with ceil(n / ceil(k / R)) - 1 + ceil(log2 S) in which a host's owners gather
// Bytes       every block of every owner elsewhere comes in over one of a host's links exactly once, the least possible, and
//             each link carries every k-th of a host's; each rank receives every block of every other owner exactly once
// Cost        O(H log H + p log S) bytes and time once; of_rank: O(1); one step: O(owners)
// Needs       p >= 1, n >= 1, hosts, in a row or not. Played backwards, as reduce and reduce-scatter: an operator that commutes
// Source      Rota; circulant schedules of paper 1 (Traff 2024), Algorithms 2 to 7, on two levels, as the collectives of
//             Karonis et al. (2000) have them; lanes as in the k-lane model of Traff (2020)
//
// Leaders own what their hosts' owners do: block t of a host is its owner t mod r's block t / r, so that large and small shares
// take turns, and lane t mod k has it as its block t / k. A lane's block b has reached all its leaders after 2 ceil(log2 H) more
// rounds than b (the circulant schedules' block numbers go down to -ceil(log2 H)), so much later its way within the host may
// begin; and its way over links 2 ceil(log2 S) rounds after the owners of its host have begun to gather what holds it: there
// ceil(k / r) blocks of each of r owners go together, so that round b brings all that round b over links sends, (b k + k - 1) /
// (r ceil(k / r)) < b + 1. All lanes of a host are with the same host in a round.
//
// There are as many lanes as links, but no more than the fewest ranks of a host (hosts.hpp says why that is no loss).
//
//   4 hosts of 3 ranks, broadcast from rank 0: in which order rounds over links (=) and within hosts (-) take turns, and
//   the blocks that the root sends in them
//
//   0 === 3 === 6 === 9        = 0 1 2 3   4   5   6   7 ...
//   | \   | \   | \   | \       -         0   1   2   3 ...
//   1  2  4  5  7  8 10 11
//
//   the same with 2 links a host: blocks 0 2 4 ... and 1 3 5 ..., which rank 1 has from the root
//
//   0 === 3 === 6 === 9
//   1 === 4 === 7 === 10
//     2     5     8     11
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allgather or broadcast. Throws std::invalid_argument for a problem
/// that is none, or one without hosts.
Schedule hierarchical_allgather(const Problem& problem);

/// The rounds over links are the circulant allgather's among hosts; of bytes within hosts only what is passed
/// on from rank to rank before all of a host are at it counts.
Pipeline hierarchical_allgather_pipeline(const Load& load);

/// Through each link that has a leader.
double lane_bytes(const Load& load);

/// The leaders of all hosts, one for each lane: of its ranks those that own data first, in increasing order.
std::vector<Rank> leaders_of(const Problem& problem);

}  // namespace rota
