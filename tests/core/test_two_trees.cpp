// The two trees and their colours, judged as a whole from what single nodes say of themselves.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>

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

/// Is that fault among those found where one place is spoilt?
template <class Spoil>
void finds(const std::string& fault, Which which, Rank node, const Spoil& spoil) {
  Trees trees = trees_of(13);
  spoil((which == Which::first ? trees.first : trees.second)[at(node)]);
  const Report report = check(trees);
  require(
      std::ranges::any_of(report.violations,
                          [&](const Violation& each) { return each.fault.find(fault) != std::string::npos; }),
      "finds: " + fault);
}

void faults_are_found() {
  const Rank top = two_trees::top(13, Which::first);
  const Rank lower = place(13, Which::first, top).lower_child;
  require(check(trees_of(13)).violations.empty(), "nothing wrong to begin with");
  const auto changed = [](Place& place) { place.color = 1 - place.color; };
  finds("is reached by two edges", Which::first, 0, changed);
  finds("reaches its children", Which::second, 6, changed);
  finds("with the other top's colour", Which::second, two_trees::top(13, Which::second), changed);
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

void latest_of_all_subtrees(Rank nodes) {
  const Trees trees = trees_of(nodes);
  for (const Which which : both) {
    const std::vector<Place>& tree = which == Which::first ? trees.first : trees.second;
    for (Rank node = 0; node < nodes; ++node) {
      const Place& here = tree[at(node)];
      Round latest = 0;
      for (Rank below = here.first; below <= here.last; ++below)
        latest = std::max(latest, tree[at(below)].arrival);
      require(latest == latest_arrival(nodes, which, node), "the latest arrival in a subtree");
    }
  }
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
  for (Rank nodes = 1; nodes <= 4096; ++nodes) check_all(nodes);
  faults_are_found();
  for (Rank nodes = 1; nodes <= 130; ++nodes) latest_of_all_subtrees(nodes);
  huge_trees();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
