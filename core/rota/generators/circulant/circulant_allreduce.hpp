// Allreduce on the circulant graph: the data is cut into one part for each rank; a reduce-scatter brings every rank its part
// of the result, an allgather then brings everybody the others'.
//
// Statement   after the last round every rank holds all contributions to all parts, for operators that commute, every p
// Rounds      n = 1: 2 ceil(log2 p). (n blocks of each part: 2 (n - 1 + ceil(log2 p)).)
// Bytes       each rank sends and receives 2 (p - 1) / p of the data: the least possible
// Cost        O(p log p) bytes and time once; one step: O(p)
// Needs       p >= 1, n >= 1, an operator that is associative and commutes
// Source      paper 1 (Traff 2024), Observations 1.2 and 1.4
//
// p = 4, n = 1: whose parts rank 0 sends and receives; rank r does the same r ranks further on
//
//   round 0   1 2 -> 2    0 3 <- 2       reduce-scatter: the allgather's rounds backwards
//   round 1   3 -> 3      0 <- 1
//   round 2   0 -> 1      3 <- 3         allgather
//   round 3   0 3 -> 2    1 2 <- 2
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allreduce. Throws std::invalid_argument for a problem that is none.
Schedule circulant_allreduce(const Problem& problem);

Pipeline circulant_allreduce_pipeline(const Load& load);

}  // namespace rota
