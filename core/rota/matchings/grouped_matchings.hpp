// A weighted bipartite multigraph whose vertices stand in groups, taken apart into matchings with durations of which none has more than k
// edges at a group: how long a set of transfers takes if every sender and every receiver handles one at a time, and every group of them k.
//
// Statement   the durations sum up to exactly L: the largest sum of weights at a vertex, or the largest at a group over k, rounded up,
//             whichever is more; every edge is in matchings for exactly its weight. No schedule is shorter
// Matchings   at most E + 2 n + 2 k G of n vertices and G groups on either side: each ends an edge, makes a vertex one that is busy to the
//             end, or a group one that needs one edge more at a time to the end
// Cost        O(E) for each matching, each of the first one's edges, each edge that ends and each bound that rises
// Needs       vertices of either side in groups: those left in `lefts`, those right in `rights`
// Source      Rota; Hoffman, Kruskal 1956: bounds on vertices and on disjoint sets of them, on either side, are those of a flow, whose
//             extreme points are integer; else as in weighted_matchings.hpp
//
// Why there is a matching: with R time left, weights x fulfil x(vertex) <= R and x(group) <= k R. So the fractions x / R are a flow with at
// most 1 through each vertex and k through each group; with exactly 1 through those vertices of which x(vertex) = R; and with x(group) / R >=
// x(group) - k (R - 1) through each group, for R x(group) - R k (R - 1) <= x(group) just says that x(group) <= k R. Bounds are integer, so
// there is a flow in integers too: a matching, after which one unit of time less is enough.
//
//   k = 2   group a: 0 1 2, each 2 for another one of group b    L = max(2, 6 / 2) = 3     {0, 1}, {1, 2}, {0, 2}, one each
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rota/matchings/weighted_matchings.hpp"

namespace rota {

/// Of each vertex of one side the number of its group; groups are numbered from 0 on.
using Groups = std::vector<std::int32_t>;

/// L.
std::int64_t grouped_length(std::span<const WeightedEdge> edges, const Groups& lefts, const Groups& rights,
                            std::int64_t at_once);

/// Edges of weight 0 are in no matching. Needs weights of 0 or more, at_once >= 1, k L < 2^62.
std::vector<WeightedMatching> grouped_matchings(std::span<const WeightedEdge> edges, const Groups& lefts,
                                                const Groups& rights, std::int64_t at_once);

}  // namespace rota
