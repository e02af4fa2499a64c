#include "rota/generators/two_trees/two_tree_broadcast.hpp"

#include <algorithm>

#include "rota/generators/counting.hpp"
#include "rota/generators/two_trees/two_tree_edges.hpp"
#include "rota/trees/two_trees.hpp"

namespace rota {

namespace {

using two_trees::none;
using two_trees::Place;
using two_trees::Which;

/// The latest first arrivals in the two trees.
struct Latest {
  Round first;
  Round second;
};

Latest latest(Rank nodes) {
  const auto in = [&](Which tree) {
    return two_trees::latest_arrival(nodes, tree, two_trees::top(nodes, tree));
  };
  return {in(Which::first), in(Which::second)};
}

Round rounds(Rank nodes, BlockIndex blocks) {
  const Latest arrival = latest(nodes);
  const Round for_even = arrival.first + 2 * ((blocks + 1) / 2) - 1;
  return blocks == 1 ? for_even : std::max(for_even, arrival.second + 2 * (blocks / 2) - 1);
}

/// The edges of a node; of the root, which is node `nodes` and above both tops.
TreeEdges edges_of(const Problem& problem, Rank node) {
  const Rank nodes = problem.ranks - 1;
  const CountedFrom order{problem.ranks, (problem.root + 1) % problem.ranks};
  TreeEdges edges;
  for (const Which tree : two_trees::both) {
    const auto to = [&](Rank child) {
      if (child == none) return;
      const Round first = two_trees::place(nodes, tree, child).arrival;
      edges.outgoing.push_back({order.rank_at(child), problem.root, static_cast<BlockIndex>(tree), first});
    };
    if (node == nodes) {
      to(two_trees::top(nodes, tree));
      continue;
    }
    const Place here = two_trees::place(nodes, tree, node);
    const Rank parent = order.rank_at(here.parent == none ? nodes : here.parent);
    edges.incoming.push_back({{parent, problem.root, static_cast<BlockIndex>(tree), here.arrival}, {}});
    to(here.lower_child);
    to(here.higher_child);
  }
  return edges;
}

}  // namespace

Schedule two_tree_broadcast(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return nothing(problem);
  return {problem, rounds(problem.ranks - 1, problem.blocks), [problem](Rank rank) -> RankSchedule {
            const CountedFrom order{problem.ranks, (problem.root + 1) % problem.ranks};
            return [edges = edges_of(problem, order.position_of(rank)),
                    blocks = problem.blocks](Round round) { return step(edges, blocks, round); };
          }};
}

Pipeline two_tree_broadcast_pipeline(const Load& load) {
  if (load.ranks == 1) return {0, 0, 0, 0, 0};
  const Latest arrival = latest(load.ranks - 1);
  return even_pipeline(1, static_cast<double>(std::max(arrival.first, arrival.second - 1)), load.bytes);
}

}  // namespace rota
