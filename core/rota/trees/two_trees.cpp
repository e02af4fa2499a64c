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
  Form form;
  Label lowest;  // 0, 1 or 2
  Label highest;
  int top_color;
  bool left_changes;  // does a turn to the left change the colour, or one to the right?

  bool counts_up() const { return form != Form::mirrored; }
  Label label_of(Rank node) const { return counts_up() ? node + lowest : highest - node; }
  Rank node_at(Label label) const {
    if (label == no_label) return none;
    return static_cast<Rank>(counts_up() ? label - lowest : highest - label);
  }
};

Label lowest_label(Rank nodes, Form form) {
  if (form == Form::upright) return 1;
  if (form == Form::shifted) return 2;
  if (nodes % 2 == 0) return 1;
  return nodes % 4 == 1 ? 0 : 2;
}

bool left_changes(const Pair& trees, Form form) {
  const bool is_shifted_pair = trees.first == Form::shifted || trees.second == Form::shifted;
  if (is_shifted_pair) return form == Form::shifted;
  return (trees.nodes + lowest_label(trees.nodes, Form::mirrored)) % 4 == 1;
}

Tree tree_of(const Pair& trees, Which which) {
  const Form form = trees.form(which);
  const Label lowest = lowest_label(trees.nodes, form);
  return {form, lowest, lowest + trees.nodes - 1, which == Which::first ? 0 : 1, left_changes(trees, form)};
}

/// A tree, and the other one, in which its leaves have their colours.
struct Two {
  Tree tree;
  Tree other;
};

Two two_of(const Pair& trees, Which which) {
  const Two two{tree_of(trees, Which::first), tree_of(trees, Which::second)};
  return which == Which::first ? two : Two{two.other, two.tree};
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

Timing timing(const Two& two, Label label);

int leaf_color(const Two& two, Label label) {
  const Label there = two.other.label_of(two.tree.node_at(label));
  return 1 - timing({two.other, two.tree}, there).color;
}

/// Of a child, from its parent's.
Timing below(const Two& two, Label above, const Timing& from, Label label) {
  const bool changes = (label < above) == two.tree.left_changes;
  const int inner_color = changes ? 1 - from.color : from.color;
  const int color = label % 2 == 0 ? inner_color : leaf_color(two, label);
  // An edge of the other colour than the one before is used in the next round, one of the same colour after two.
  return {color, from.arrival + (color == from.color ? 2 : 1)};
}

Timing timing(const Two& two, Label label) {
  const Label above = parent(two.tree, label);
  if (above != no_label) return below(two, above, timing(two, above), label);
  const int color = label % 2 == 0 ? two.tree.top_color : leaf_color(two, label);
  return {color, color};
}

/// Has the subtree all the labels that its height allows? Then there is a way down on which the colour never
/// changes.
bool is_full(const Tree& tree, Label label) {
  if (label == 0) return false;
  const Label bit = lowest_bit(label);
  const Label least = tree.lowest == 1 ? 1 : 2;  // label 1 is missing, or has label 0 near it
  return label - bit + 1 >= least && label + bit - 1 <= tree.highest;
}

Round latest(const Two& two, Label label, const Timing& own) {
  if (is_full(two.tree, label))
    return own.arrival + Round{2} * std::countr_zero(static_cast<std::uint64_t>(label));
  Round result = own.arrival;
  for (const Label child : {left_child(two.tree, label), right_child(two.tree, label)}) {
    if (child != no_label) result = std::max(result, latest(two, child, below(two, label, own, child)));
  }
  return result;
}

/// The subtrees to the right of the way from the top to the lowest label, or to the left of that to the
/// highest.
std::vector<Subtree> beside(const Two& two, bool is_to_lowest) {
  std::vector<Subtree> result;
  Label label = top_label(two.tree);
  Timing here = timing(two, label);
  while (label != no_label) {
    const Label left = left_child(two.tree, label);
    const Label right = right_child(two.tree, label);
    const Label next = is_to_lowest ? left : right;
    const Label branch = is_to_lowest ? right : left;
    if (branch != no_label) {
      const Timing first = below(two, label, here, branch);
      const Labels labels = subtree(two.tree, branch);
      const Rank one = two.tree.node_at(labels.first);
      const Rank end = two.tree.node_at(labels.last);
      result.push_back({std::min(one, end), std::max(one, end), first.arrival, latest(two, branch, first)});
    }
    if (next != no_label) here = below(two, label, here, next);
    label = next;
  }
  return result;
}

/// Are the colours right beside a shifted tree?
bool has_shifted(Rank nodes) {
  return nodes % 4 >= 2 || std::popcount(static_cast<std::uint32_t>(nodes)) % 2 == 1;
}

}  // namespace

std::vector<Pair> pairs(Rank nodes) {
  std::vector<Pair> result{{nodes, Form::upright, Form::mirrored}, {nodes, Form::mirrored, Form::upright}};
  if (has_shifted(nodes)) {
    result.push_back({nodes, Form::upright, Form::shifted});
    result.push_back({nodes, Form::shifted, Form::upright});
  }
  return result;
}

Place place(const Pair& trees, Which which, Rank node) {
  const Two two = two_of(trees, which);
  const Tree& tree = two.tree;
  const Label label = tree.label_of(node);
  const Labels labels = subtree(tree, label);
  const Timing times = timing(two, label);
  const Rank left = tree.node_at(left_child(tree, label));
  const Rank right = tree.node_at(right_child(tree, label));
  const Rank at_first = tree.node_at(labels.first);
  const Rank at_last = tree.node_at(labels.last);
  const bool counts_up = tree.counts_up();
  return {.parent = tree.node_at(parent(tree, label)),
          .lower_child = counts_up ? left : right,
          .higher_child = counts_up ? right : left,
          .first = counts_up ? at_first : at_last,
          .last = counts_up ? at_last : at_first,
          .color = times.color,
          .arrival = times.arrival};
}

Rank top(const Pair& trees, Which which) {
  const Tree tree = tree_of(trees, which);
  return tree.node_at(top_label(tree));
}

Round latest_arrival(const Pair& trees, Which which, Rank node) {
  const Two two = two_of(trees, which);
  const Label label = two.tree.label_of(node);
  return latest(two, label, timing(two, label));
}

std::vector<Subtree> lower_subtrees(const Pair& trees, Which which) {
  const Two two = two_of(trees, which);
  return beside(two, !two.tree.counts_up());
}

std::vector<Subtree> higher_subtrees(const Pair& trees, Which which) {
  const Two two = two_of(trees, which);
  return beside(two, two.tree.counts_up());
}

}  // namespace rota::two_trees
