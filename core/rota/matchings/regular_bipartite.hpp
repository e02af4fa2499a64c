// Bipartite multigraphs in which all vertices have the same degree k: what edge colouring works on.
//
// The k edges of a left vertex lie next to one another, so that a graph is one array and needs no lists of neighbours:
//
//   k = 2, left vertices 0 1 2, right ones a b c       slots   a b | b c | a c
//                                                      left    0     1     2
//
// A regular bipartite graph has a perfect matching (König). If k is even, its edges fall into two regular graphs of degree
// k / 2: take every other edge of closed walks that use each edge once (Euler).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rota/matchings/random.hpp"

namespace rota {

/// An edge of a bipartite multigraph, from left to right.
struct BipartiteEdge {
  std::int32_t left = 0;
  std::int32_t right = 0;
};

/// One end of an edge, as its left vertex sees it. Edges that only fill up degrees have no number: -1.
struct Slot {
  std::int32_t right = 0;
  std::int32_t edge = -1;
};

/// The edges of left vertex u are slots[u k] .. slots[u k + k - 1], where k = degree.
struct RegularBipartite {
  std::size_t vertices = 0;  // on each side
  std::size_t degree = 0;
  std::vector<Slot> slots;
};

/// The largest degree of a graph with `vertices` vertices on each side.
std::size_t largest_degree(std::size_t vertices, std::span<const BipartiteEdge> edges);

/// A graph of degree D, the largest one of the given graph, whose matchings are matchings of that graph:
/// vertices are merged while their degrees sum up to D at most, and edges without number are added. There are
/// at most 2 E / D + 1 vertices a side, and so at most 2 E + D edges. Time and memory O(E + vertices). Throws
/// std::length_error for more than 2^31 - 1 edges.
RegularBipartite made_regular(std::size_t vertices, std::span<const BipartiteEdge> edges);

/// Two graphs of half the degree.
struct Halves {
  RegularBipartite first;
  RegularBipartite second;
};

/// Needs an even degree. O(E).
Halves euler_split(const RegularBipartite& graph);

/// A perfect matching: of each left vertex, the position of its matched slot among its k. Random walks that
/// go from free left vertices to free right ones: O(n log n) expected, whatever the degree. Needs degree
/// >= 1. Source: Goel, Kapralov, Khanna 2010, "Perfect matchings in O(n log n) time in regular bipartite
/// graphs", Section 2.
std::vector<std::size_t> perfect_matching(const RegularBipartite& graph, Random& random);

}  // namespace rota
