// Allreduce on the circulant graph in chunks: each is a reduce-scatter and an allgather of its own, one chunk after the other.
//
// Statement   after the last round every rank holds all contributions to all parts, for operators that commute, every p; in which
//             order they were combined does not depend on the number n of chunks
// Rounds      2 n ceil(log2 p)
// Bytes       each rank sends and receives 2 (p - 1) / p of the data: the least possible
// Cost        O(p log p) bytes and time once; one step: O(p)
// Needs       p >= 1, n >= 1, an operator that is associative and commutes
// Source      paper 1 (Traff 2024), Observations 1.2 and 1.4, for n = 1
//
// The data is cut into one part for each rank, each part into n blocks; chunk i is the i-th block of every part.
//
//   p = 4, n = 2: whose parts rank 0 sends and receives, and in which chunk
//
//   round 0   1 2 -> 2    0 3 <- 2    chunk 0        round 4   1 2 -> 2    0 3 <- 2    chunk 1
//   round 1   3 -> 3      0 <- 1                     round 5   3 -> 3      0 <- 1
//   round 2   0 -> 1      3 <- 3                     round 6   0 -> 1      3 <- 3
//   round 3   0 3 -> 2    1 2 <- 2                   round 7   0 3 -> 2    1 2 <- 2
//
// The blocks of a part all go the way of the only one that n = 1 has, which proves the statement's second half. (With n blocks in
// circulant_allreduce.hpp each has a way of its own, in 2 (n - 1 + ceil(log2 p)) rounds.)
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allreduce. Throws std::invalid_argument for a problem that is none.
Schedule circulant_chunks(const Problem& problem);

Pipeline circulant_chunks_pipeline(const Load& load);

}  // namespace rota
