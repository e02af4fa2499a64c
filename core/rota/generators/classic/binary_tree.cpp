#include "rota/generators/classic/binary_tree.hpp"

#include <algorithm>
#include <bit>

#include "rota/generators/classic/chain.hpp"
#include "rota/generators/counting.hpp"
#include "rota/trees/two_trees.hpp"

namespace rota {

namespace {

using two_trees::none;
using two_trees::Place;

/// The tree is the upright one of any pair.
two_trees::Pair pair(Rank nodes) { return {.nodes = nodes}; }

Place place(Rank nodes, Rank node) { return two_trees::place(pair(nodes), two_trees::Which::first, node); }

Rank top(Rank nodes) { return two_trees::top(pair(nodes), two_trees::Which::first); }

/// Among so many ranks no node has two children: the tree is a chain, and is used as one.
constexpr Rank most_without_two_children = 3;

constexpr Round lower_delay = 1;
constexpr Round higher_delay = 2;

/// The round in which the node receives its first block.
Round first_arrival(Rank nodes, Rank node) {
  const Rank parent = place(nodes, node).parent;
  if (parent == none) return 0;
  return first_arrival(nodes, parent) + (node < parent ? lower_delay : higher_delay);
}

/// The last of these. The tree lacks nodes only along its higher edge: below a lower child it is full, of a
/// height h that makes its latest arrival 2 (h - 1) rounds later than its top's.
Round latest_arrival(Rank nodes) {
  Round latest = 0;
  Round at_node = 0;
  Rank node = top(nodes);
  while (node != none) {
    const Place here = place(nodes, node);
    latest = std::max(latest, at_node);
    const auto below = static_cast<std::uint32_t>(node - here.first);
    if (below > 0) {
      const Round height = std::bit_width(below);
      latest = std::max(latest, at_node + lower_delay + higher_delay * (height - 1));
    }
    at_node += higher_delay;
    node = here.higher_child;
  }
  return latest;
}

/// One rank, as a node, or as the root above the tree (node p - 1).
struct Position {
  Rank parent = none;
  Rank lower_child = none;
  Rank higher_child = none;
  Round first = 0;
};

Position position(Rank nodes, Rank node) {
  if (node == nodes) return {.lower_child = top(nodes), .first = -1};
  const Place here = place(nodes, node);
  return {here.parent == none ? nodes : here.parent, here.lower_child, here.higher_child,
          first_arrival(nodes, node)};
}

Step step(const Problem& problem, const Position& at, Round round) {
  const CountedFrom order{problem.ranks, (problem.root + 1) % problem.ranks};
  const auto block_every_two_rounds = [&](Round first) {
    const Round since = round - first;
    return since % 2 == 0 ? block_if_any(problem, problem.root, since / 2) : Blocks{};
  };
  const auto message = [&](Rank peer, Round first) {
    return peer == none ? Message{} : Message{order.rank_at(peer), block_every_two_rounds(first)};
  };
  Step result;
  result.receive = message(at.parent, at.first);
  result.send = message(at.lower_child, at.first + lower_delay);
  if (result.send.blocks.empty()) result.send = message(at.higher_child, at.first + higher_delay);
  return result;
}

}  // namespace

Schedule binary_tree_broadcast(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks <= most_without_two_children) return chain_broadcast(problem);
  const Rank nodes = problem.ranks - 1;
  return {problem, 2 * problem.blocks - 1 + latest_arrival(nodes),
          [problem, nodes](Rank rank) -> RankSchedule {
            const CountedFrom order{problem.ranks, (problem.root + 1) % problem.ranks};
            return [problem, at = position(nodes, order.position_of(rank))](Round round) {
              return step(problem, at, round);
            };
          }};
}

Pipeline binary_tree_pipeline(const Load& load) {
  if (load.ranks <= most_without_two_children) return chain_pipeline(load);
  return even_pipeline(2, static_cast<double>(latest_arrival(load.ranks - 1)) - 1, load.bytes);
}

}  // namespace rota
