// Broadcast and allgather among ranks that share hosts: one rank of each host, its leader, plays the circulant allgather
// over the links, and passes on what comes in, as it comes, to the other ranks of its host.
//
// Statement   after the last round every rank holds all n blocks of every owner, for every p, n, set of owners and placement
// Rounds      of H hosts, the fullest one with R owners and S ranks: R n - 1 + ceil(log2 H) over links, in turns with
//             R n - 1 + ceil(log2 S) within hosts; and with n - 1 + ceil(log2 S) in which a host's owners gather, where there is
//             another than the leader
// Bytes       every block of every owner elsewhere comes in over a host's link exactly once, the least possible; each rank
//             receives every block of every other owner exactly once
// Cost        O(H log H + p) bytes and time once; of_rank: O(log S); one step: O(owners)
// Needs       p >= 1, n >= 1, hosts, in a row or not. Played backwards, as reduce and reduce-scatter: an operator that commutes
// Source      Rota; circulant schedules of paper 1 (Traff 2024), Algorithms 2 to 7, on two levels, as the collectives of
//             Karonis et al. (2000) have them
//
// Leaders own what their hosts' owners do: block k of a host is its owner k mod r's block k / r, so that large and small shares
// take turns. A block k has reached all leaders after 2 ceil(log2 H) more rounds than k (the circulant schedules' block numbers
// go down to -ceil(log2 H)), so much later its way within the host may begin; and its way over links 2 ceil(log2 S) rounds after the
// owners of its host have begun to gather, of whose block k / r it is.
//
//   4 hosts of 3 ranks, broadcast from rank 0: in which order rounds over links (=) and within hosts (-) take turns, and
//   the blocks that the root sends in them
//
//   0 === 3 === 6 === 9        = 0 1 2 3   4   5   6   7 ...
//   | \   | \   | \   | \       -         0   1   2   3 ...
//   1  2  4  5  7  8 10 11
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allgather or broadcast. Throws std::invalid_argument for a problem
/// that is none, or one without hosts.
Schedule hierarchical_allgather(const Problem& problem);

/// The rounds over links are the circulant allgather's among hosts; bytes within hosts are taken to cost
/// nothing.
Pipeline hierarchical_allgather_pipeline(const Load& load);

/// The leader of each host: its first rank that owns data, if any does, else its first.
std::vector<Rank> leaders_of(const Problem& problem);

}  // namespace rota
