// Broadcast as a scatter and an allgather of its parts: the classic algorithm for long data, for comparison.
//
// Statement   after the last round every rank holds all of the root's data
// Rounds      2 ceil(log2 p)
// Bytes       the root sends m (p - 1) / p and receives as much; others receive up to m / 2 more than they need: nearly 2 m of
//             time, twice the least possible
// Cost        O(p log p) bytes and time once; of_rank: O(1); one step: O(p)
// Needs       p >= 1, 0 <= root < p. The data is cut into p parts, whatever the problem's n
// Source      paper 4 (Sanders, Speck, Träff 2009), Section 3.1, where it is a rival; van de Geijn (Barnett et al. 1991), with an
//             allgather in as few rounds as there can be: paper 1, Algorithm 7
//
//   p = 4   round 0   0 -> 2: 2 3          scatter            (rota/generators/classic/binomial_scatter.hpp)
//           round 1   0 -> 1: 1  2 -> 3: 3
//           round 2   r -> r + 1: r        allgather          (rota/generators/circulant/circulant_allgather.hpp)
//           round 3   r -> r + 2: r r - 1
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == broadcast. Throws std::invalid_argument for a problem that is none.
Schedule scatter_allgather(const Problem& problem);

/// A fixed number of rounds; each half passes a port with all parts but one.
Pipeline scatter_allgather_pipeline(const Load& load);

}  // namespace rota
