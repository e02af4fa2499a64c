#include "rota/generators/two_trees/two_tree_scan.hpp"

#include <algorithm>

#include "rota/generators/classic/chain_scan.hpp"
#include "rota/generators/two_trees/two_tree_edges.hpp"
#include "rota/generators/two_trees/two_tree_scan_timetable.hpp"

namespace rota {

namespace {

using two_trees::none;
using two_trees::Place;
using two_trees::Which;

/// Among so few ranks a chain is no deeper than the trees, and goes one way only.
constexpr Rank most_as_chain = 3;

/// One rank as a node of one tree; adds its edges.
class Node {
 public:
  Node(const Problem& problem, const ScanTimetable& times, Which tree, Rank rank)
      : problem_(problem),
        times_(times),
        tree_(tree),
        rank_(rank),
        here_(two_trees::place(times.trees, tree, rank)) {}

  void add_up(TreeEdges& edges) const {
    const bool is_wanted = here_.last < problem_.ranks - 1;  // the sum of its subtree
    if (has_lower()) {
      IncomingEdge lower{up(here_.lower_child, here_.lower_child, rank_ - 1), {{rank_ - 1, rank_}}};
      const bool is_last_part = is_wanted && has_higher() && !lower_comes_first();
      if (is_last_part) lower.combinations.push_back({rank_, here_.last});
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
  /// Does the sum of the lower child's subtree come before that of the higher child's?
  bool lower_comes_first() const {
    return times_.first_up(tree_, here_.lower_child) < times_.first_up(tree_, here_.higher_child);
  }

  /// The edge into `node`, used upwards or downwards, with blocks of `owner`, to or from `peer`.
  TreeEdge up(Rank peer, Rank node, Rank owner) const {
    return {peer, owner, static_cast<BlockIndex>(tree_), times_.first_up(tree_, node)};
  }
  TreeEdge down(Rank peer, Rank node, Rank owner) const {
    return {peer, owner, static_cast<BlockIndex>(tree_), times_.first_down(tree_, node)};
  }

  const Problem& problem_;
  const ScanTimetable& times_;
  Which tree_;
  Rank rank_;
  Place here_;
};

TreeEdges edges_of(const Problem& problem, const ScanTimetable& times, Rank rank) {
  TreeEdges edges;
  for (const Which tree : two_trees::both) {
    const Node node(problem, times, tree, rank);
    node.add_up(edges);
    node.add_down(edges);
  }
  return edges;
}

}  // namespace

std::optional<two_trees::Pair> two_tree_scan_trees(Rank ranks, BlockIndex blocks) {
  if (ranks <= most_as_chain) return std::nullopt;
  return scan_timetable(ranks, blocks).trees;
}

Schedule two_tree_scan(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks <= most_as_chain) return chain_scan(problem);
  const ScanTimetable times = scan_timetable(problem.ranks, problem.blocks);
  return {problem, times.rounds, [problem, times](Rank rank) -> RankSchedule {
            return [edges = edges_of(problem, times, rank), blocks = problem.blocks](Round round) {
              return step(edges, blocks, round);
            };
          }};
}

Pipeline two_tree_scan_pipeline(const Load& load) {
  if (load.ranks <= most_as_chain) return chain_scan_pipeline(load);
  const Round even = scan_timetable(load.ranks, 2).rounds - 4;
  const Round odd = scan_timetable(load.ranks, 3).rounds - 6;
  Pipeline pipeline = even_pipeline(2, static_cast<double>(std::max(odd, even)), load.bytes);
  pipeline.combined_part = 1;
  return pipeline;
}

}  // namespace rota
