// The two trees and their colours, judged as a whole from what single nodes say of themselves.
#include <algorithm>
#include <iostream>
#include <random>

#include "require.hpp"
#include "rota/bound.hpp"
#include "rota/two_trees.hpp"

namespace {

using namespace rota;
using namespace rota::two_trees;

using Tree = std::vector<Place>;

std::size_t at(Rank node) { return static_cast<std::size_t>(node); }

Tree tree_of(Rank nodes, Which which) {
  Tree tree;
  for (Rank node = 0; node < nodes; ++node) tree.push_back(place(nodes, which, node));
  return tree;
}

bool is_leaf(const Place& place) { return place.lower_child == none && place.higher_child == none; }

/// The subtree of `node` holds first .. last in order, and parents and children know each other. Visits every
/// node of the tree once: who is not reached is counted by the caller. Returns the latest arrival.
struct Seen {
  Rank nodes = 0;
  int height = 0;
  Round latest = 0;
};
Seen check_subtree(const Tree& tree, Rank node, Rank parent, Rank first, Rank last) {
  const Place& here = tree[at(node)];
  require(here.parent == parent, "child and parent know each other");
  require(here.first == first && here.last == last && first <= node && node <= last, "numbered in order");
  Seen seen{1, 1, here.arrival};
  const auto descend = [&](Rank child, Rank from, Rank to) {
    require((child == none) == (from > to), "a child for whoever is left, and only then");
    if (child == none) return;
    const Round delay = tree[at(child)].arrival - here.arrival;
    require(delay == (tree[at(child)].color == here.color ? 2 : 1),
            "the child's edge is used as soon as its colour allows");
    const Seen below = check_subtree(tree, child, node, from, to);
    seen = {seen.nodes + below.nodes, std::max(seen.height, below.height + 1),
            std::max(seen.latest, below.latest)};
  };
  descend(here.lower_child, first, node - 1);
  descend(here.higher_child, node + 1, last);
  return seen;
}

void check_tree(const Tree& tree, Which which) {
  const auto nodes = static_cast<Rank>(tree.size());
  const Rank root = top(nodes, which);
  require(tree[at(root)].arrival == tree[at(root)].color,
          "the top's edge is used first in the round of its colour");
  const Seen seen = check_subtree(tree, root, none, 0, nodes - 1);
  require(seen.nodes == nodes, "every node is reached");
  require(seen.height <= ceil_log2(nodes) + 2, "logarithmic height");
  require(seen.latest == latest_arrival(nodes, which, root), "latest arrival");
  require(seen.latest <= Round{2} * ceil_log2(nodes + 1), "everybody is reached in logarithmic time");
}

/// Lemma 1, and that nobody is an inner node of both trees.
void check_colors(const Tree& first, const Tree& second) {
  const auto nodes = static_cast<Rank>(first.size());
  require(first[at(top(nodes, Which::first))].color != second[at(top(nodes, Which::second))].color,
          "the two tops");
  for (Rank node = 0; node < nodes; ++node) {
    require(first[at(node)].color != second[at(node)].color, "edges from the two parents");
    require(is_leaf(first[at(node)]) || is_leaf(second[at(node)]), "a leaf of one of the trees");
    for (const Tree* tree : {&first, &second}) {
      const Place& here = (*tree)[at(node)];
      if (here.lower_child == none || here.higher_child == none) continue;
      require((*tree)[at(here.lower_child)].color != (*tree)[at(here.higher_child)].color,
              "edges to two children");
    }
  }
}

void latest_of_all_subtrees(Rank nodes) {
  for (const Which which : both) {
    const Tree tree = tree_of(nodes, which);
    for (Rank node = 0; node < nodes; ++node) {
      const Place& here = tree[at(node)];
      Round latest = 0;
      for (Rank below = here.first; below <= here.last; ++below)
        latest = std::max(latest, tree[at(below)].arrival);
      require(latest == latest_arrival(nodes, which, node), "the latest arrival in a subtree");
    }
  }
}

void check(Rank nodes) try {
  const Tree first = tree_of(nodes, Which::first);
  const Tree second = tree_of(nodes, Which::second);
  check_tree(first, Which::first);
  check_tree(second, Which::second);
  check_colors(first, second);
} catch (const std::exception& failure) {
  throw std::runtime_error(std::to_string(nodes) + " nodes: " + failure.what());
}

/// The neighbourhoods of single nodes, for as many nodes as there can be.
void huge_trees() {
  std::mt19937 random(2009);
  for (int i = 0; i < 20000; ++i) {
    const Rank nodes = std::uniform_int_distribution<Rank>(1, 2147483647)(random);
    const Rank node = std::uniform_int_distribution<Rank>(0, nodes - 1)(random);
    require(place(nodes, Which::first, node).color != place(nodes, Which::second, node).color,
            "edges from the parents");
    for (const Which which : both) {
      const Place here = place(nodes, which, node);
      require(here.arrival < 64, "soon there");
      if (here.lower_child == none || here.higher_child == none) continue;
      const Place lower = place(nodes, which, here.lower_child);
      const Place higher = place(nodes, which, here.higher_child);
      require(lower.parent == node && higher.parent == node && lower.color != higher.color,
              "edges to the children");
    }
  }
}

}  // namespace

int main() try {
  for (Rank nodes = 1; nodes <= 4096; ++nodes) check(nodes);
  for (Rank nodes = 1; nodes <= 130; ++nodes) latest_of_all_subtrees(nodes);
  huge_trees();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
