// Inter-group allgather on the circulant graph of all ranks: the broadcasts of all owners at once, senders among the
// receivers.
//
// Statement   after the last round every rank, of both groups, has every owner's data, for every p, q, n and unequal shares
// Rounds      n - 1 + ceil(log2(p + q))
// Bytes       each receives all data but its own: p k for the receivers of p shares of k, which is the least possible where only
//             one group has data; what the senders receive of each other costs nobody time then. If both have, twice that at
//             the worst
// Cost        that of rota/generators/circulant/circulant_allgather.hpp
// Needs       p, q >= 1
// Source      paper 1 (Traff 2024), Algorithm 7, with paper 3's senders as the owners
//
//   p = 1, q = 4, n = 3: rota/generators/circulant/circulant_broadcast.hpp's picture for p = 5
//   p = 8, q = 1, n = 1: in round 3 the last of nine ranks has heard from all eight others
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather. Throws std::invalid_argument for a problem that is
/// none.
Schedule inter_circulant(const Problem& problem);

Pipeline inter_circulant_pipeline(const Load& load);

}  // namespace rota
