// Allreduce among ranks that share hosts: the data is cut into one part for each lane of each host; a reduce-scatter brings its
// leader that part of the result, an allgather then brings everybody the others'. Both are the hierarchical ones.
//
// Statement   after the last round every rank holds all contributions to all parts, for operators that commute, every p and
//             placement
// Rounds      of H hosts, the fullest one with S ranks: 2 (n - 1 + ceil(log2 H)) over links, in turns with
//             2 (n - 1 + ceil(log2 S)) within hosts
// Bytes       over each host's links together 2 (H - 1) / H of the data, each way: the least possible; in equal parts
// Cost        O(H log H + p) bytes and time once; one step: O(H)
// Needs       p >= 1, n >= 1, hosts, in a row or not, an operator that is associative and commutes
// Source      Rota; as hierarchical.hpp
//
//   3 hosts of 2 ranks: the way of all contributions to the part of rank 2, and back
//
//   0 === 2 === 4        1 -> 0, 3 -> 2, 5 -> 4, then 0 -> 2, 4 -> 2: it is complete
//   |     |     |        2 -> 0, 2 -> 4, then 2 -> 3, 0 -> 1, 4 -> 5
//   1     3     5
#pragma once

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == allreduce. Throws std::invalid_argument for a problem that is none,
/// or one without hosts.
Schedule hierarchical_allreduce(const Problem& problem);

Pipeline hierarchical_allreduce_pipeline(const Load& load);

}  // namespace rota
