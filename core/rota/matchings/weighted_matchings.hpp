// A weighted bipartite multigraph taken apart into matchings with durations: how long a set of transfers takes if every sender
// and every receiver handles one at a time, and may leave off and go on later.
//
// Statement   the durations sum up to exactly W, the largest sum of weights at a vertex; every edge is in matchings for exactly
//             its weight. No schedule is shorter, for a vertex with sum W is busy all the time
// Matchings   at most E + 2 n, and at most W / g if all weights are multiples of g; far fewer as a rule, since each lasts as
//             long as any perfect matching could at that moment (greedy in durations, a bottleneck matching each)
// Cost        O(E) for each matching's first and each of its edges that had to be replaced; memory O(E + n)
// Source      Birkhoff 1946, von Neumann 1953 (existence); Gonzalez, Sahni 1976 (open shops with preemption)
//
//   weights        a 3  b 1      padded to W = 4     3 1     =  3 x  1 .   +  1 x  . 1
//   of 0 -> a, b   .    3        at every vertex     1 3             . 1           1 .
//      1 -> b                    (1 -> a: padding)
//
// Time is integer. Weights in fractions: scale them by their common denominator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rota/matchings/wide.hpp"

namespace rota {

/// Of an integer type Weight: std::int64_t where sums stay below 2^63, or Wide (rota/matchings/wide.hpp).
template <class Weight>
struct BasicWeightedEdge {
  std::int32_t left = 0;
  std::int32_t right = 0;
  Weight weight{};
};

/// A part of an edge's weight, at most the duration of the matching that it is in.
template <class Weight>
struct BasicEdgePart {
  std::int32_t edge = 0;
  Weight weight{};
};

/// Edges without a vertex in common, for so long, in the order of left vertices.
template <class Weight>
struct BasicWeightedMatching {
  Weight duration{};
  std::vector<BasicEdgePart<Weight>> parts;
};

using WeightedEdge = BasicWeightedEdge<std::int64_t>;
using EdgePart = BasicEdgePart<std::int64_t>;
using WeightedMatching = BasicWeightedMatching<std::int64_t>;

/// W, the largest sum of weights at one of `vertices` left and as many right vertices.
std::int64_t largest_weight(std::size_t vertices, std::span<const WeightedEdge> edges);

/// Edges of weight 0 are in no matching. Throws std::invalid_argument for a weight below 0. Needs W < 2^63.
std::vector<WeightedMatching> weighted_matchings(std::size_t vertices, std::span<const WeightedEdge> edges);

/// The same of weights up to W < 2^2048; throws std::overflow_error beyond.
std::vector<BasicWeightedMatching<Wide>> weighted_matchings(std::size_t vertices,
                                                            std::span<const BasicWeightedEdge<Wide>> edges);

}  // namespace rota
