#include "rota/generators/two_trees/two_tree_scan.hpp"

#include <algorithm>

#include "rota/generators/classic/chain_scan.hpp"
#include "rota/generators/two_trees/two_tree_edges.hpp"
#include "rota/trees/two_trees.hpp"

namespace rota {

namespace {

using two_trees::none;
using two_trees::Place;
using two_trees::Which;

/// Among so few ranks a chain is no deeper than the trees, and goes one way only.
constexpr Rank most_as_chain = 3;

/// The arrivals, as of a broadcast, of all nodes in some part of a tree.
struct Arrivals {
  Round earliest = 0;
  Round latest = 0;
  bool any = false;
};

Arrivals both_of(const Arrivals& left, const Arrivals& right) {
  if (!left.any || !right.any) return left.any ? left : right;
  return {std::min(left.earliest, right.earliest), std::max(left.latest, right.latest), true};
}

Arrivals in_subtree(Rank nodes, Which tree, Rank node) {
  if (node == none) return {};
  return {two_trees::place(nodes, tree, node).arrival, two_trees::latest_arrival(nodes, tree, node), true};
}

/// Of the nodes that send up: all but those whose subtrees reach the last node.
Arrivals going_up(Rank nodes, Which tree) {
  Arrivals result;
  for (Rank node = two_trees::top(nodes, tree); node != none;) {
    const Place here = two_trees::place(nodes, tree, node);
    result = both_of(result, in_subtree(nodes, tree, here.lower_child));
    node = here.higher_child;
  }
  return result;
}

/// Of the nodes that receive from above: all but those whose subtrees begin with node 0.
Arrivals going_down(Rank nodes, Which tree) {
  Arrivals result;
  for (Rank node = two_trees::top(nodes, tree); node != none;) {
    const Place here = two_trees::place(nodes, tree, node);
    result = both_of(result, in_subtree(nodes, tree, here.higher_child));
    node = here.lower_child;
  }
  return result;
}

/// The edge into a node is first used in round up - arrival upwards and in round down + arrival downwards.
struct Timetable {
  Round up = 0;
  Round down = 0;
  Round rounds = 0;
};

/// The way up begins in round 0, the way down in the round after it.
Timetable timetable(Rank nodes, BlockIndex blocks) {
  const Arrivals upwards[] = {going_up(nodes, Which::first), going_up(nodes, Which::second)};
  const Arrivals downwards[] = {going_down(nodes, Which::first), going_down(nodes, Which::second)};
  const std::size_t trees_used = blocks == 1 ? 1 : 2;
  const auto last_block = [&](std::size_t tree) { return tree == 0 ? (blocks - 1) / 2 : blocks / 2 - 1; };

  Timetable result;
  Round ends_up = 0;
  Arrivals down;
  for (std::size_t tree = 0; tree < trees_used; ++tree) {
    if (upwards[tree].any) result.up = std::max(result.up, upwards[tree].latest);
    down = both_of(down, downwards[tree]);
  }
  for (std::size_t tree = 0; tree < trees_used; ++tree) {
    if (!upwards[tree].any) continue;
    ends_up = std::max(ends_up, result.up - upwards[tree].earliest + 2 * last_block(tree) + 1);
  }
  result.down = ends_up - down.earliest;
  result.rounds = ends_up;
  for (std::size_t tree = 0; tree < trees_used; ++tree) {
    if (!downwards[tree].any) continue;
    result.rounds = std::max(result.rounds, result.down + downwards[tree].latest + 2 * last_block(tree) + 1);
  }
  return result;
}

/// One rank as a node of one tree; adds its edges.
class Node {
 public:
  Node(const Problem& problem, const Timetable& times, Which tree, Rank rank)
      : problem_(problem),
        times_(times),
        tree_(tree),
        rank_(rank),
        here_(two_trees::place(problem.ranks, tree, rank)) {}

  void add_up(TreeEdges& edges) const {
    const bool is_wanted = here_.last < problem_.ranks - 1;  // the sum of its subtree
    if (has_lower()) {
      IncomingEdge lower{up(here_.lower_child, here_.lower_child, rank_ - 1), {{rank_ - 1, rank_}}};
      const bool is_last_part = has_higher() && !lower_comes_first();
      if (is_wanted && is_last_part) lower.combinations.push_back({rank_, here_.last});
      edges.incoming.push_back(std::move(lower));
    }
    if (!is_wanted) return;
    if (has_higher()) {
      IncomingEdge higher{up(here_.higher_child, here_.higher_child, here_.last), {}};
      if (!has_lower() || lower_comes_first()) higher.combinations.push_back({rank_, here_.last});
      edges.incoming.push_back(std::move(higher));
    }
    if (here_.parent != none) edges.outgoing.push_back(up(here_.parent, rank_, here_.last));
  }

  void add_down(TreeEdges& edges) const {
    if (here_.first > 0) {
      IncomingEdge above{down(here_.parent, rank_, here_.first - 1), {}};
      const bool is_scan = problem_.collective == Collective::scan;
      if (!is_scan && has_lower()) above.combinations.push_back({here_.first - 1, rank_ - 1});
      if (is_scan || has_higher()) above.combinations.push_back({here_.first - 1, rank_});
      edges.incoming.push_back(std::move(above));
      if (has_lower()) edges.outgoing.push_back(down(here_.lower_child, here_.lower_child, here_.first - 1));
    }
    if (has_higher()) edges.outgoing.push_back(down(here_.higher_child, here_.higher_child, rank_));
  }

 private:
  bool has_lower() const { return here_.lower_child != none; }
  bool has_higher() const { return here_.higher_child != none; }
  Round arrival(Rank node) const { return two_trees::place(problem_.ranks, tree_, node).arrival; }
  /// Does the sum of the lower child's subtree come before that of the higher child's?
  bool lower_comes_first() const { return arrival(here_.lower_child) > arrival(here_.higher_child); }

  /// The edge into `node`, used upwards or downwards, with blocks of `owner`, to or from `peer`.
  TreeEdge up(Rank peer, Rank node, Rank owner) const {
    return {peer, owner, static_cast<BlockIndex>(tree_), times_.up - arrival(node)};
  }
  TreeEdge down(Rank peer, Rank node, Rank owner) const {
    return {peer, owner, static_cast<BlockIndex>(tree_), times_.down + arrival(node)};
  }

  const Problem& problem_;
  const Timetable& times_;
  Which tree_;
  Rank rank_;
  Place here_;
};

TreeEdges edges_of(const Problem& problem, const Timetable& times, Rank rank) {
  TreeEdges edges;
  for (const Which tree : two_trees::both) {
    const Node node(problem, times, tree, rank);
    node.add_up(edges);
    node.add_down(edges);
  }
  return edges;
}

}  // namespace

Schedule two_tree_scan(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks <= most_as_chain) return chain_scan(problem);
  const Timetable times = timetable(problem.ranks, problem.blocks);
  return {problem, times.rounds, [problem, times](Rank rank) -> RankSchedule {
            return [edges = edges_of(problem, times, rank), blocks = problem.blocks](Round round) {
              return step(edges, blocks, round);
            };
          }};
}

Pipeline two_tree_scan_pipeline(const Load& load) {
  if (load.ranks <= most_as_chain) return chain_scan_pipeline(load);
  const Round odd = timetable(load.ranks, 3).rounds - 6;
  const Round even = timetable(load.ranks, 4).rounds - 8;
  Pipeline pipeline = even_pipeline(2, static_cast<double>(std::max(odd, even)), load.bytes);
  pipeline.combined_part = 1;
  return pipeline;
}

}  // namespace rota
