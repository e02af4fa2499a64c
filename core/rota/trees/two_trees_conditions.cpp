#include "rota/trees/two_trees_conditions.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "rota/model/bound.hpp"

namespace rota::two_trees {

namespace {

std::size_t at(Rank node) { return static_cast<std::size_t>(node); }

bool is_leaf(const Place& place) { return place.lower_child == none && place.higher_child == none; }

class Conditions {
 public:
  explicit Conditions(const Trees& trees)
      : trees_(trees), report_{static_cast<Rank>(trees.first.size()), 1, {}, 0, 0} {}

  Report report() {
    for (const Which which : both) check_tree(which);
    check_colors();
    return std::move(report_);
  }

 private:
  const std::vector<Place>& places(Which which) const {
    return which == Which::first ? trees_.first : trees_.second;
  }
  const Place& place_of(Which which, Rank node) const { return places(which)[at(node)]; }
  bool is_node(Rank node) const { return node >= 0 && node < report_.nodes; }

  void expect(bool holds, Which which, Rank node, const char* fault) {
    if (!holds) report_.violations.push_back({trees_.pair, which, node, fault});
  }

  /// The node without a parent; `none` where not exactly one is without.
  Rank top_of(Which which) {
    Rank found = none;
    for (Rank node = 0; node < report_.nodes; ++node) {
      if (place_of(which, node).parent != none) continue;
      expect(found == none, which, node, "is a second top");
      found = node;
    }
    expect(found != none, which, 0, "is in a tree without a top");
    return found;
  }

  void check_tree(Which which) {
    const Rank top = top_of(which);
    if (top == none) return;
    const Place& here = place_of(which, top);
    expect(here.arrival == here.color, which, top,
           "is the top and not first reached in the round of its colour");
    const Below all = check_subtree(which, top, none, {0, report_.nodes - 1});
    expect(all.height <= ceil_log2(report_.nodes) + 2, which, top, "is the top of too high a tree");
    expect(all.latest <= Round{2} * ceil_log2(report_.nodes + 1), which, top,
           "is the top of a tree that is reached too late");
    report_.height = std::max(report_.height, all.height);
    report_.latest = std::max(report_.latest, all.latest);
  }

  struct Interval {
    Rank first;
    Rank last;
  };
  struct Below {
    int height = 0;
    Round latest = 0;
  };

  /// Every call has a shorter interval than its caller, so that no links, however wrong, keep it going; and
  /// the intervals of two children leave out just their parent, so that every node is reached once.
  Below check_subtree(Which which, Rank node, Rank parent, Interval own) {
    const Place& here = place_of(which, node);
    expect(here.parent == parent, which, node, "has another parent than whose child it is");
    expect(here.first == own.first && here.last == own.last, which, node, "has the wrong subtree");
    const Below lower = check_child(which, node, here.lower_child, {own.first, node - 1});
    const Below higher = check_child(which, node, here.higher_child, {node + 1, own.last});
    return {1 + std::max(lower.height, higher.height), std::max({here.arrival, lower.latest, higher.latest})};
  }

  Below check_child(Which which, Rank node, Rank child, Interval own) {
    if (child == none) {
      expect(own.first > own.last, which, node, "lacks a child");
      return {};
    }
    const bool is_in_order = is_node(child) && own.first <= child && child <= own.last;
    expect(is_in_order, which, node, "has a child out of order");
    if (!is_in_order) return {};
    const Place& here = place_of(which, node);
    const Place& below = place_of(which, child);
    const Round delay = below.color == here.color ? 2 : 1;
    expect(below.arrival == here.arrival + delay, which, child, "is not first reached as soon as can be");
    return check_subtree(which, child, node, own);
  }

  void check_colors() {
    const auto top = std::ranges::find(trees_.second, none, &Place::parent);
    if (top != trees_.second.end()) check_tops(static_cast<Rank>(top - trees_.second.begin()));
    for (Rank node = 0; node < report_.nodes; ++node) {
      const Place& first = place_of(Which::first, node);
      const Place& second = place_of(Which::second, node);
      expect(first.color != second.color, Which::first, node, "is reached by two edges of the same colour");
      expect(is_leaf(first) || is_leaf(second), Which::first, node, "is an inner node of both trees");
      for (const Which which : both) check_children(which, node);
    }
  }

  void check_tops(Rank second) {
    const auto first = std::ranges::find(trees_.first, none, &Place::parent);
    if (first == trees_.first.end()) return;
    expect(first->color != place_of(Which::second, second).color, Which::second, second,
           "is a top with the other top's colour");
  }

  void check_children(Which which, Rank node) {
    const Place& here = place_of(which, node);
    if (!is_node(here.lower_child) || !is_node(here.higher_child)) return;
    expect(place_of(which, here.lower_child).color != place_of(which, here.higher_child).color, which, node,
           "reaches its children by two edges of the same colour");
  }

  const Trees& trees_;
  Report report_;
};

const char* name(Form form) {
  if (form == Form::upright) return "upright";
  return form == Form::mirrored ? "mirrored" : "shifted";
}

/// What is wrong with it as a whole, and with the latest arrival that it says.
Report check_pair(const Pair& pair) {
  Report report = check(trees_of(pair));
  Round latest = 0;
  for (const Which which : both) {
    latest = std::max(latest, latest_arrival(pair, which, top(pair, which)));
  }
  if (latest != report.latest) {
    report.violations.push_back(
        {pair, Which::first, top(pair, Which::first), "has another latest arrival than it says"});
  }
  return report;
}

}  // namespace

std::string message(const Violation& violation) {
  const char* const tree = violation.tree == Which::first ? "first" : "second";
  const Which other = violation.tree == Which::first ? Which::second : Which::first;
  return "node " + std::to_string(violation.node) + " of the " + tree + " tree, " +
         name(violation.pair.form(violation.tree)) + " beside " + name(violation.pair.form(other)) + ", " +
         violation.fault;
}

Trees trees_of(const Pair& pair) {
  Trees trees{pair, {}, {}};
  for (Rank node = 0; node < pair.nodes; ++node) {
    trees.first.push_back(place(pair, Which::first, node));
    trees.second.push_back(place(pair, Which::second, node));
  }
  return trees;
}

Report check(const Trees& trees) { return Conditions(trees).report(); }

Report check(Rank nodes) {
  if (nodes < 1) throw std::invalid_argument(std::to_string(nodes) + " nodes are no tree: give at least 1");
  Report all;
  all.nodes = nodes;
  for (const Pair& pair : pairs(nodes)) {
    Report report = check_pair(pair);
    all.pairs += report.pairs;
    all.height = std::max(all.height, report.height);
    all.latest = std::max(all.latest, report.latest);
    std::ranges::move(report.violations, std::back_inserter(all.violations));
  }
  return all;
}

}  // namespace rota::two_trees
