// The two trees and their colours, judged as a whole from what single nodes say of themselves.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>

#include "extent.hpp"
#include "require.hpp"
#include "rota/trees/two_trees_conditions.hpp"

namespace {

using namespace rota;
using namespace rota::two_trees;

std::size_t at(Rank node) { return static_cast<std::size_t>(node); }

void check_all(Rank nodes) {
  const Report report = check(nodes);
  for (const Violation& violation : report.violations) {
    require(false, std::to_string(nodes) + " nodes: " + message(violation));
  }
}

constexpr Pair of_13{13, Form::upright, Form::mirrored};

/// Is that fault among those found where one place is spoilt?
template <class Spoil>
void finds(const std::string& fault, Which which, Rank node, const Spoil& spoil) {
  Trees trees = trees_of(of_13);
  spoil((which == Which::first ? trees.first : trees.second)[at(node)]);
  const Report report = check(trees);
  require(
      std::ranges::any_of(report.violations,
                          [&](const Violation& each) { return each.fault.find(fault) != std::string::npos; }),
      "finds: " + fault);
}

void faults_are_found() {
  const Rank top = two_trees::top(of_13, Which::first);
  const Rank lower = place(of_13, Which::first, top).lower_child;
  require(check(trees_of(of_13)).violations.empty(), "nothing wrong to begin with");
  const auto changed = [](Place& place) { place.color = 1 - place.color; };
  finds("is reached by two edges", Which::first, 0, changed);
  finds("reaches its children", Which::second, 6, changed);
  finds("with the other top's colour", Which::second, two_trees::top(of_13, Which::second), changed);
  finds("in the round of its colour", Which::first, top, changed);
  finds("as soon as can be", Which::first, lower, [](Place& place) { ++place.arrival; });
  finds("another parent", Which::first, lower, [](Place& place) { ++place.parent; });
  finds("a second top", Which::first, lower, [](Place& place) { place.parent = none; });
  finds("without a top", Which::first, top, [](Place& place) { place.parent = 0; });
  finds("wrong subtree", Which::second, 3, [](Place& place) { ++place.last; });
  finds("lacks a child", Which::first, lower, [](Place& place) { place.lower_child = none; });
  finds("out of order", Which::first, lower, [](Place& place) { place.lower_child = 12; });
  finds("out of order", Which::first, lower, [](Place& place) { place.lower_child = 13; });
}

void latest_of_all_subtrees(const Pair& pair) {
  const Trees trees = trees_of(pair);
  for (const Which which : both) {
    const std::vector<Place>& tree = which == Which::first ? trees.first : trees.second;
    for (Rank node = 0; node < pair.nodes; ++node) {
      const Place& here = tree[at(node)];
      Round latest = 0;
      for (Rank below = here.first; below <= here.last; ++below)
        latest = std::max(latest, tree[at(below)].arrival);
      require(latest == latest_arrival(pair, which, node), "the latest arrival in a subtree");
    }
  }
}

void neighbourhood(const Pair& pair, Rank node) {
  require(place(pair, Which::first, node).color != place(pair, Which::second, node).color,
          "edges from the parents");
  for (const Which which : both) {
    const Place here = place(pair, which, node);
    require(here.arrival < 64, "soon there");
    if (here.lower_child == none || here.higher_child == none) continue;
    const Place lower = place(pair, which, here.lower_child);
    const Place higher = place(pair, which, here.higher_child);
    require(lower.parent == node && higher.parent == node && lower.color != higher.color,
            "edges to the children");
  }
}

/// The neighbourhoods of single nodes, and of the highest, for as many nodes as there can be.
void huge_trees() {
  std::mt19937 random(2009);
  for (int i = 0; i < cases(20000); ++i) {
    const Rank nodes = std::uniform_int_distribution<Rank>(1, 2147483647)(random);
    const Rank node = std::uniform_int_distribution<Rank>(0, nodes - 1)(random);
    for (const Pair& pair : pairs(nodes)) {
      neighbourhood(pair, node);
      for (const Which which : both) {
        const Rank above_highest = place(pair, which, nodes - 1).parent;
        if (above_highest != none) neighbourhood(pair, above_highest);
      }
    }
  }
}

/// The colours' law beside a shifted tree, which is no pair where it is not right.
void no_wrong_pair_is_left_out() {
  int left_out = 0;
  for (Rank nodes = 1; nodes <= 512; ++nodes) {
    if (pairs(nodes).size() == 4) continue;
    ++left_out;
    require(!check(trees_of({nodes, Form::upright, Form::shifted})).violations.empty(),
            std::to_string(nodes) + " nodes: the colours beside a shifted tree are right");
  }
  require(left_out > 0, "some are left out");
}

}  // namespace

int main() try {
  for (Rank nodes = 1; nodes <= ranks_up_to(2100); ++nodes) check_all(nodes);
  faults_are_found();
  for (Rank nodes = 1; nodes <= 130; ++nodes) {
    for (const Pair& pair : pairs(nodes)) latest_of_all_subtrees(pair);
  }
  no_wrong_pair_is_left_out();
  huge_trees();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
