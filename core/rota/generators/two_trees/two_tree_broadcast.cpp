#include "rota/generators/two_trees/two_tree_broadcast.hpp"

#include <bit>

#include "rota/generators/counting.hpp"
#include "rota/generators/two_trees/two_tree_edges.hpp"

namespace rota {

namespace {

using two_trees::Form;
using two_trees::none;
using two_trees::Pair;
using two_trees::Place;
using two_trees::Which;

/// So many for every number n of blocks: n + fixed_rounds(p).
int fixed_rounds(Rank ranks) {
  const auto floor_log2 = [](std::int64_t x) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))) - 1;
  };
  return floor_log2(std::int64_t{ranks} - 1) + floor_log2(std::int64_t{ranks} + 1) - 1;
}

/// How long after its top's the last edge of a tree is first used.
Round depth(const Pair& trees, Which tree) {
  const Round begins = tree == Which::first ? 0 : 1;
  return two_trees::latest_arrival(trees, tree, two_trees::top(trees, tree)) - begins;
}

/// The edges of a node; of the root, which is node `nodes` and above both tops.
TreeEdges edges_of(const Problem& problem, const Pair& trees, Rank node) {
  const Rank nodes = trees.nodes;
  const CountedFrom order{problem.ranks, (problem.root + 1) % problem.ranks};
  TreeEdges edges;
  for (const Which tree : two_trees::both) {
    const auto to = [&](Rank child) {
      if (child == none) return;
      const Round first = two_trees::place(trees, tree, child).arrival;
      edges.outgoing.push_back({order.rank_at(child), problem.root, static_cast<BlockIndex>(tree), first});
    };
    if (node == nodes) {
      to(two_trees::top(trees, tree));
      continue;
    }
    const Place here = two_trees::place(trees, tree, node);
    const Rank parent = order.rank_at(here.parent == none ? nodes : here.parent);
    edges.incoming.push_back({{parent, problem.root, static_cast<BlockIndex>(tree), here.arrival}, {}});
    to(here.lower_child);
    to(here.higher_child);
  }
  return edges;
}

}  // namespace

Pair two_tree_broadcast_trees(Rank ranks, BlockIndex blocks) {
  const Rank nodes = ranks - 1;
  const Form other = nodes % 4 == 2 ? Form::shifted : Form::mirrored;
  const Pair trees{nodes, Form::upright, other};
  const Round upright = depth(trees, Which::first);
  const Round beside = depth(trees, Which::second);
  const bool upright_begins = blocks % 2 == 1 ? upright <= beside : upright >= beside;
  return upright_begins ? trees : Pair{nodes, other, Form::upright};
}

Schedule two_tree_broadcast(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return nothing(problem);
  const Pair trees = two_tree_broadcast_trees(problem.ranks, problem.blocks);
  return {problem, problem.blocks + fixed_rounds(problem.ranks), [problem, trees](Rank rank) -> RankSchedule {
            const CountedFrom order{problem.ranks, (problem.root + 1) % problem.ranks};
            return [edges = edges_of(problem, trees, order.position_of(rank)),
                    blocks = problem.blocks](Round round) { return step(edges, blocks, round); };
          }};
}

Pipeline two_tree_broadcast_pipeline(const Load& load) {
  if (load.ranks == 1) return {0, 0, 0, 0, 0};
  return even_pipeline(1, fixed_rounds(load.ranks), load.bytes);
}

}  // namespace rota
