// What a rank does along the edges of two trees: block i goes through tree i mod 2, over each edge every second round.
#pragma once

#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// One edge of one tree as one of its two ends sees it. The tree's blocks, `tree`, tree + 2, ..., pass it in
/// rounds first, first + 2, ...
struct TreeEdge {
  Rank peer;
  Rank owner;  // of the blocks
  BlockIndex tree;
  Round first;
};

/// An edge over which blocks come, and what they are then combined with, by owners.
struct IncomingEdge {
  struct OfOwners {
    Rank from;
    Rank into;
  };
  TreeEdge edge;
  std::vector<OfOwners> combinations;
};

/// All edges of one rank. At most one of either kind is used in one round.
struct TreeEdges {
  std::vector<IncomingEdge> incoming;
  std::vector<TreeEdge> outgoing;
};

/// What the rank with these edges does in that round with n = `blocks`.
Step step(const TreeEdges& edges, BlockIndex blocks, Round round);

}  // namespace rota
