// Broadcast and reduce along a chain: every rank passes each block on to the next one as soon as it has it.
//
// Statement   broadcast: after the last round every rank holds all n blocks of the root. reduce: the root holds all
//             contributions combined, in the order of ranks, for every root
// Rounds      n + p - 2; n + p - 1 for a reduce that must keep the order to a root that is neither rank 0 nor p - 1
// Bytes       each rank sends and receives every block at most once: m bytes, the least possible
// Cost        of_rank: O(1); one step: O(1)
// Needs       p >= 1, n >= 1, 0 <= root < p
// Source      folklore; the linear pipeline that paper 4 (Sanders, Speck, Träff), Section 2, compares with
//
// p = 8, root 3:   3 -> 4 -> 5 -> 6 -> 7 -> 0 -> 1 -> 2     block i makes the hop from position k in round i + k
//
// The same chain backwards is a reduce. It keeps the order where the root is the first or the last rank, because the
// sum that travels is then always one of consecutive ranks. To a root in between, the sum starts with the root's own
// contribution, takes in the ranks above it, then those below it, and so comes home as a whole; nobody sends or
// receives a block twice, and the way is one hop longer:
//
//   p = 5, root 2:   2 -> 3 -> 4 -> 1 -> 0 -> 2      2, 2..3, 2..4, 1..4, 0..4
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast. Throws std::invalid_argument for a problem that is none.
Schedule chain_broadcast(const Problem& problem);

/// The schedule for problem.collective == reduce. Throws std::invalid_argument for a problem that is none.
Schedule chain_reduce(const Problem& problem);

/// n + p - 2 rounds, all alike; a reduce in order to a root in between takes one more.
Pipeline chain_pipeline(const Load& load);

}  // namespace rota
