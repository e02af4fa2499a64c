// Inter-group allgather as an allgather among all ranks, whose owners are the senders: they are among the receivers.
//
// Statement   after the last round every rank, of both groups, has every owner's data, for every p, q, n and unequal shares
// Rounds      those of the allgather among p + q ranks: circulant n - 1 + ceil(log2(p + q)); hierarchical likewise among hosts
// Bytes       each receives all data but its own: p k for the receivers of p shares of k, which is the least possible where only
//             one group has data; what the senders receive of each other costs nobody time then. If both have, twice that at
//             the worst. By a hierarchical allgather each byte enters a host once
// Cost        that of the allgather
// Needs       p, q >= 1
// Source      paper 1 (Traff 2024), Algorithm 7, with paper 3's senders as the owners
//
//   p = 1, q = 4, n = 3: rota/generators/circulant/circulant_broadcast.hpp's picture for p = 5
//   p = 8, q = 1, n = 1: in round 3 the last of nine ranks has heard from all eight others
#pragma once

#include "rota/model/bound.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// From a generator of allgathers: problem.collective == inter_allgather. Throws std::invalid_argument for a
/// problem that is none, or none of the generator's.
Schedule inter_by_allgather(const Problem& problem, Schedule (*allgather)(const Problem&));

/// The load of the allgather that it is made of.
Load load_of_allgather(const Load& load);

}  // namespace rota
