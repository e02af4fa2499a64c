#include "rota/trees/two_trees.hpp"

#include <algorithm>
#include <bit>

namespace rota::two_trees {

namespace {

using Label = std::int64_t;

constexpr Label no_label = -1;

Label floor_power_of_two(Label x) {
  return static_cast<Label>(std::bit_floor(static_cast<std::uint64_t>(x)));
}
Label lowest_bit(Label label) { return label & -label; }

/// One of the trees, by its labels.
struct Tree {
  Rank nodes;
  Which which;
  Label lowest;  // 0, 1 or 2
  Label highest;
  bool left_changes;  // does a turn to the left change the colour, or one to the right?

  Label label_of(Rank node) const { return which == Which::first ? node + Label{1} : highest - node; }
  Rank node_at(Label label) const {
    if (label == no_label) return none;
    return static_cast<Rank>(which == Which::first ? label - 1 : highest - label);
  }
  int top_color() const { return which == Which::first ? 0 : 1; }
};

Label lowest_of_second(Rank nodes) {
  if (nodes % 2 == 0) return 1;
  return nodes % 4 == 1 ? 0 : 2;
}

Tree tree_of(Rank nodes, Which which) {
  const Label lowest_there = lowest_of_second(nodes);
  const Label sum = nodes + lowest_there;
  const bool left_changes = sum % 4 == 1;
  if (which == Which::first) return {nodes, which, 1, nodes, left_changes};
  return {nodes, which, lowest_there, sum - 1, left_changes};
}

/// The label whose place label 0 takes: that of 2^0 or 2^1, at depth floor(log2 highest) or one less.
Label displaced(const Tree& tree) {
  if (tree.lowest != 0 || tree.highest == 0) return no_label;
  return std::bit_width(static_cast<std::uint64_t>(tree.highest)) % 2 == 1 ? 1 : 2;
}

Label top_label(const Tree& tree) { return tree.highest == 0 ? 0 : floor_power_of_two(tree.highest); }

Label parent(const Tree& tree, Label label) {
  if (label == top_label(tree)) return no_label;
  const Label below_0 = displaced(tree);
  if (label == 0) return 2 * below_0;
  if (label == below_0) return 0;
  const Label bit = lowest_bit(label);
  const bool is_right_child = (label & (2 * bit)) != 0 || label + bit > tree.highest;
  return is_right_child ? label - bit : label + bit;
}

Label left_child(const Tree& tree, Label label) {
  if (label % 2 != 0 || label == 0) return no_label;
  const Label child = label - lowest_bit(label) / 2;
  if (child == displaced(tree)) return 0;
  return child < tree.lowest ? no_label : child;
}

Label right_child(const Tree& tree, Label label) {
  if (label == 0) return displaced(tree);
  if (label % 2 != 0 || label == tree.highest) return no_label;
  return label + std::min(lowest_bit(label) / 2, floor_power_of_two(tree.highest - label));
}

struct Labels {
  Label first;
  Label last;
};

/// The labels of a subtree.
Labels subtree(const Tree& tree, Label label) {
  if (label == 0) return {0, tree.highest == 0 ? 0 : subtree(tree, displaced(tree)).last};
  const Label bit = lowest_bit(label);
  const Label first = label - bit + 1;
  const bool below_0 = first == 1 && label <= displaced(tree);
  return {first == 1 && !below_0 ? tree.lowest : first, std::min(label + bit - 1, tree.highest)};
}

struct Timing {
  int color;
  Round arrival;
};

Timing of_inner_node(const Tree& tree, Label label) {
  const Label above = parent(tree, label);
  if (above == no_label) return {tree.top_color(), tree.top_color()};
  const Timing from = of_inner_node(tree, above);
  const bool changes = (label < above) == tree.left_changes;
  // An edge of the other colour than the one before is used in the next round, one of the same colour after two.
  return changes ? Timing{1 - from.color, from.arrival + 1} : Timing{from.color, from.arrival + 2};
}

Timing timing(const Tree& tree, Label label) {
  if (label % 2 == 0) return of_inner_node(tree, label);
  const Tree other = tree_of(tree.nodes, tree.which == Which::first ? Which::second : Which::first);
  const int color = 1 - of_inner_node(other, other.label_of(tree.node_at(label))).color;
  const Label above = parent(tree, label);
  if (above == no_label) return {color, color};  // a single node
  const Timing from = of_inner_node(tree, above);
  return {color, from.arrival + (color == from.color ? 2 : 1)};
}

/// Has the subtree all the labels that its height allows? Then there is a way down on which the colour never
/// changes.
bool is_full(const Tree& tree, Label label) {
  if (label == 0) return false;
  const Label bit = lowest_bit(label);
  const Label least = tree.lowest == 1 ? 1 : 2;  // label 1 is missing, or has label 0 near it
  return label - bit + 1 >= least && label + bit - 1 <= tree.highest;
}

Round latest(const Tree& tree, Label label) {
  const Round own = timing(tree, label).arrival;
  if (is_full(tree, label)) return own + Round{2} * std::countr_zero(static_cast<std::uint64_t>(label));
  Round result = own;
  for (const Label child : {left_child(tree, label), right_child(tree, label)}) {
    if (child != no_label) result = std::max(result, latest(tree, child));
  }
  return result;
}

}  // namespace

Place place(Rank nodes, Which which, Rank node) {
  const Tree tree = tree_of(nodes, which);
  const Label label = tree.label_of(node);
  const Labels labels = subtree(tree, label);
  const Timing times = timing(tree, label);
  const Rank left = tree.node_at(left_child(tree, label));
  const Rank right = tree.node_at(right_child(tree, label));
  const Rank at_first = tree.node_at(labels.first);
  const Rank at_last = tree.node_at(labels.last);
  const bool counts_up = which == Which::first;
  return {.parent = tree.node_at(parent(tree, label)),
          .lower_child = counts_up ? left : right,
          .higher_child = counts_up ? right : left,
          .first = counts_up ? at_first : at_last,
          .last = counts_up ? at_last : at_first,
          .color = times.color,
          .arrival = times.arrival};
}

Rank top(Rank nodes, Which which) {
  const Tree tree = tree_of(nodes, which);
  return tree.node_at(top_label(tree));
}

Round latest_arrival(Rank nodes, Which which, Rank node) {
  const Tree tree = tree_of(nodes, which);
  return latest(tree, tree.label_of(node));
}

}  // namespace rota::two_trees
