// Broadcast and allgather among ranks that share hosts: one rank of each host for each of its links, a leader, plays the circulant
// allgather over that link, block by block, and passes on what comes in, as it comes, to the other ranks of its host.
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
// Owners of a host take turns: block t is its owner t mod r's block t / r, of r owners; where shares are equal, all that goes over links
// in a round is equally long. two_levels.hpp says how the rounds follow each other.
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
