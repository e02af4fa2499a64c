#include "coloring_straightforward.hpp"

#include <algorithm>
#include <cstddef>

namespace rota::bench::straightforward {
namespace {

using Tree = ColoredTrees::Tree;

constexpr Rank none = -1;
constexpr std::int8_t no_color = -1;

std::size_t at(Rank node) { return static_cast<std::size_t>(node); }

/// A full tree, numbered in order from 0 on; node u has the height of u + 1's trailing zeros.
struct FullTree {
  std::vector<Rank> parent;
  std::vector<std::array<Rank, 2>> children;
  Rank top = none;
};

Rank build(FullTree& tree, Rank first, Rank size, Rank parent) {
  const Rank below = size / 2;
  const Rank node = first + below;
  tree.parent[at(node)] = parent;
  if (below == 0) return node;
  tree.children[at(node)] = {build(tree, first, below, node), build(tree, node + 1, below, node)};
  return node;
}

FullTree full_tree(Rank size) {
  FullTree tree{std::vector<Rank>(at(size), none), std::vector<std::array<Rank, 2>>(at(size), {none, none}),
                none};
  tree.top = build(tree, 0, size, none);
  return tree;
}

/// Takes a node without one of its children out; the other child, if any, takes its place.
void eliminate(FullTree& tree, Rank node) {
  const auto [left, right] = tree.children[at(node)];
  const Rank heir = left != none ? left : right;
  const Rank parent = tree.parent[at(node)];
  if (heir != none) tree.parent[at(heir)] = parent;
  if (parent == none) {
    tree.top = heir;
    return;
  }
  std::ranges::replace(tree.children[at(parent)], node, heir);
}

/// The full tree without its first `skipped` nodes, and no more than `nodes` of the others; fed by node
/// `nodes`.
Tree trimmed(Rank size, Rank skipped, Rank nodes) {
  FullTree full = full_tree(size);
  for (Rank node = 0; node < skipped; ++node) eliminate(full, node);
  for (Rank node = size - 1; node >= nodes + skipped; --node) eliminate(full, node);
  Tree tree{std::vector<Rank>(at(nodes)), std::vector<std::array<Rank, 2>>(at(nodes) + 1, {none, none}),
            std::vector<std::int8_t>(at(nodes), no_color)};
  const auto renamed = [&](Rank node) { return node == none ? none : node - skipped; };
  for (Rank node = 0; node < nodes; ++node) {
    const Rank parent = full.parent[at(node + skipped)];
    const auto [left, right] = full.children[at(node + skipped)];
    tree.parent[at(node)] = parent == none ? nodes : renamed(parent);
    tree.children[at(node)] = {renamed(left), renamed(right)};
  }
  tree.children[at(nodes)] = {renamed(full.top), none};
  return tree;
}

/// The edge into a node of one of the trees.
struct Edge {
  std::size_t tree;
  Rank node;
};

/// The other edge out of the sender of `edge`: to its sibling, or of the feeding node, to the other top.
Edge same_sender(const ColoredTrees& both, Edge edge) {
  const Tree& tree = both.trees[edge.tree];
  const Rank sender = tree.parent[at(edge.node)];
  if (at(sender) == tree.parent.size()) {
    return {1 - edge.tree, both.trees[1 - edge.tree].children[at(sender)][0]};
  }
  const auto [left, right] = tree.children[at(sender)];
  return {edge.tree, left == edge.node ? right : left};
}

Edge same_receiver(Edge edge) { return {1 - edge.tree, edge.node}; }

/// Colours from an edge on, away over the sender or over the receiver, until the path ends or the cycle
/// closes.
void color_path(ColoredTrees& both, Edge edge, std::int8_t color, bool over_sender) {
  while (edge.node != none && both.trees[edge.tree].color[at(edge.node)] == no_color) {
    both.trees[edge.tree].color[at(edge.node)] = color;
    edge = over_sender ? same_sender(both, edge) : same_receiver(edge);
    over_sender = !over_sender;
    color = static_cast<std::int8_t>(1 - color);
  }
}

}  // namespace

ColoredTrees colored_trees(Rank nodes) {
  Rank size = 1;
  while (size - 1 < nodes) size = 2 * size + 1;
  ColoredTrees both{{trimmed(size, 0, nodes), trimmed(size, 1, nodes)}};
  for (Rank node = 0; node < nodes; ++node) {
    const Edge edge{0, node};
    if (both.trees[0].color[at(node)] != no_color) continue;
    color_path(both, edge, 0, true);
    color_path(both, same_receiver(edge), 1, true);
  }
  return both;
}

bool is_properly_colored(const ColoredTrees& both) {
  const auto color = [&](Edge edge) { return both.trees[edge.tree].color[at(edge.node)]; };
  const auto nodes = static_cast<Rank>(both.trees[0].parent.size());
  for (const std::size_t tree : {0U, 1U}) {
    for (Rank node = 0; node < nodes; ++node) {
      const Edge edge{tree, node};
      const Edge sibling = same_sender(both, edge);
      if (color(edge) == no_color || color(edge) == color(same_receiver(edge))) return false;
      if (sibling.node != none && color(edge) == color(sibling)) return false;
    }
  }
  return true;
}

}  // namespace rota::bench::straightforward
