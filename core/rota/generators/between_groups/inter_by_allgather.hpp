// Inter-group allgather as an allgather among all ranks, whose owners are the senders: they are among the receivers.
//
// Statement   after the last round every rank, of both groups, has every owner's data, for every p, q, n and unequal shares
// Rounds      those of the allgather among p + q ranks: circulant n - 1 + ceil(log2(p + q)); on hosts see inter_on_hosts.hpp
// Bytes       each receives all data but its own: p k for the receivers of p shares of k, which is the least possible where only
//             one group has data; what the senders receive of each other costs nobody time then. If both have, twice that at
//             the worst
// Cost        that of the allgather
// Needs       p, q >= 1
// Source      paper 1 (Traff 2024), Algorithm 7, with paper 3's senders as the owners
//
//   p = 1, q = 4, n = 3: rota/generators/circulant/circulant_broadcast.hpp's picture for p = 5
//   p = 8, q = 1, n = 1: in round 3 the last of nine ranks has heard from all eight others
#pragma once

#include <functional>

#include "rota/model/bound.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// From a generator of allgathers: problem.collective == inter_allgather. Throws std::invalid_argument for a
/// problem that is none, or none of the generator's.
Schedule inter_by_allgather(const Problem& problem, const std::function<Schedule(const Problem&)>& allgather);

/// The load of the allgather that it is made of.
Load load_of_allgather(const Load& load);

}  // namespace rota
