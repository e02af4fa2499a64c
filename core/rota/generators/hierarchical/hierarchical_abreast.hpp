// Allgather among ranks that share hosts, with unequal shares: as hierarchical.hpp, but a host's owners do not take turns. In a round
// over links a host sends one block of each of them, so that every round carries the same part of all that the host has.
//
// Statement   after the last round every rank holds all n blocks of every owner, for every p, n, set of owners, placement and
//             number of links
// Rounds      of H hosts with k lanes, the fullest one with S ranks: L - 1 + ceil(log2 H) over links, L = ceil(n / k), in turns
//             with L - 1 + ceil(log2 S) within hosts; and where a host has several owners, or lanes, with
//             ceil(n / (r ceil(k / r))) - 1 + ceil(log2 S) in which its r owners gather
// Bytes       every block of every owner elsewhere comes in over one of a host's links exactly once, the least possible; and with
//             one lane no round over links is longer than an n-th of what the busiest host must receive: together they take (n - 1 +
//             ceil(log2 H)) / n of the least possible, whatever shares are
// Cost        O(H log H + p log S) bytes and time once; of_rank: O(1); one step: O(owners)
// Needs       p >= 1, n >= 1, hosts, in a row or not. Played backwards, as reduce-scatter: an operator that commutes
// Source      Rota; as hierarchical.hpp
//
// Where owners take turns and shares differ, a round is as long as what is largest in it: of hosts with shares 2 1 and 1 2 first 2 and 1
// go, then 1 and 2. With equal shares turns are as good, and have fewer blocks in a message, each of which takes processors time.
//
//   2 hosts, shares in bytes, n = 1, the longest message of each round over links
//
//   host 0: 2 1     in turns (n = 1)   2 ->  <- 1    1 ->  <- 2      2 + 2 = 4
//   host 1: 1 2     abreast            2 1 ->  <- 1 2                3
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allgather. Throws std::invalid_argument for a problem that is none,
/// or one without hosts.
Schedule hierarchical_abreast_allgather(const Problem& problem);

/// As where owners take turns, with units as large as a host's blocks together, and what the fullest host may
/// have beyond the mean. That links wait for the first unit to be gathered, and ranks for the last to be
/// passed on, takes as long as one over a link at the most.
Pipeline hierarchical_abreast_allgather_pipeline(const Load& load);

}  // namespace rota
