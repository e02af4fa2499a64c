#include "rota/generators/two_trees/two_tree_edges.hpp"

namespace rota {

namespace {

struct Use {
  BlockIndex index;
  bool any;
};

/// The block that passes the edge in that round, if any does.
Use use_of(const TreeEdge& edge, BlockIndex blocks, Round round) {
  const Round since = round - edge.first;
  const BlockIndex index = edge.tree + since;
  return {index, since >= 0 && since % 2 == 0 && index < blocks};
}

}  // namespace

Step step(const TreeEdges& edges, BlockIndex blocks, Round round) {
  Step result;
  for (const TreeEdge& edge : edges.outgoing) {
    const Use use = use_of(edge, blocks, round);
    if (use.any) result.send = {edge.peer, Block{edge.owner, use.index}};
  }
  for (const IncomingEdge& incoming : edges.incoming) {
    const Use use = use_of(incoming.edge, blocks, round);
    if (!use.any) continue;
    result.receive = {incoming.edge.peer, Block{incoming.edge.owner, use.index}};
    for (const IncomingEdge::OfOwners& owners : incoming.combinations) {
      result.combinations.push_back({{owners.from, use.index}, {owners.into, use.index}});
    }
  }
  return result;
}

}  // namespace rota
