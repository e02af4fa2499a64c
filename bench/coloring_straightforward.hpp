// Two trees and the colours of their edges as Section 2 of paper 4 (Sanders, Speck, Träff 2009) makes them, in linear
// time: the yardstick that `rota bench schedules` measures beside what one rank computes for itself.
//
// Both trees are built as full ones, numbered in order, and lose nodes from the highest down (the second also its
// lowest leaf); then the edges are coloured along the paths and cycles in which they share a sender or a receiver. Only
// the number of nodes of the full trees is settled here: the page's 2^h - 1 is too small by a node or two for some p.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rota/schedule/types.hpp"

namespace rota::bench::straightforward {

/// Two trees over the nodes 0 .. nodes - 1, which a further one, node `nodes`, feeds.
struct ColoredTrees {
  struct Tree {
    std::vector<Rank> parent;
    std::vector<std::array<Rank, 2>> children;  // of the feeding node too; -1: none
    std::vector<std::int8_t> color;             // of the edge into each node
  };
  std::array<Tree, 2> trees;
};

/// Needs nodes >= 1. O(nodes).
ColoredTrees colored_trees(Rank nodes);

/// Does Lemma 1 hold? O(nodes).
bool is_properly_colored(const ColoredTrees& trees);

}  // namespace rota::bench::straightforward
