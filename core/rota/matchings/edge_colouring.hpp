// The edges of a bipartite multigraph in exactly D colours, D its largest degree: no vertex has two edges of a colour.
//
// Statement   D colours always do (König); fewer never, for a vertex of degree D needs that many
// Cost        O(E log D + (E / D) log n log D) expected, which is O(E log D) from D = log n on; memory O(E)
// Source      Gabow, Kariv 1982 (split, colour one half, make the other's degree a power of two); Goel, Kapralov, Khanna 2010
//             (matchings by random walks); Cole, Ost, Schirra 2001 (vertices of small degree merged first)
//
//   D = 11    a matching is one colour, 10 are left, split 5 | 5
//             5: a matching, 4 = 2 | 2, ...        5 colours
//             5 and three of these colours: 8 = 4 | 4 = 2 | 2 | 2 | 2 = ..., 8 colours by splitting alone
//             1 + (5 - 3) + 8 = 11
//
// So each level has one matching to find, in a graph half as large as the one before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rota/matchings/regular_bipartite.hpp"

namespace rota {

struct EdgeColouring {
  std::int32_t colours = 0;            // D
  std::vector<std::int32_t> of_edges;  // 0 <= colour < D, by edge
};

/// The same on every machine for the same graph and seed. Throws std::length_error for more than about 2^30
/// edges.
EdgeColouring edge_colouring(std::size_t vertices, std::span<const BipartiteEdge> edges, std::uint64_t seed);

}  // namespace rota
