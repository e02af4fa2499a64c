// The two trees of paper 4, and their check, as Python functions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "rota/generators/two_trees/two_tree_broadcast.hpp"
#include "rota/generators/two_trees/two_tree_scan.hpp"
#include "rota/trees/two_trees_conditions.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using two_trees::Pair;
using two_trees::Place;
using two_trees::Report;
using two_trees::Violation;
using two_trees::Which;

std::optional<Rank> named(Rank node) { return node == two_trees::none ? std::nullopt : std::optional(node); }

std::array<Place, 2> places_of(const Pair& trees, Rank node) {
  if (node < 0 || node >= trees.nodes) {
    throw std::invalid_argument("there is no node " + std::to_string(node) + " among " +
                                std::to_string(trees.nodes) + ": give one from 0 to " +
                                std::to_string(trees.nodes - 1));
  }
  return {place(trees, Which::first, node), place(trees, Which::second, node)};
}

std::optional<Pair> trees_of(const Problem& problem) {
  if (problem.ranks == 1) return std::nullopt;
  const bool is_scan = problem.collective == Collective::scan || problem.collective == Collective::exscan;
  return is_scan ? two_tree_scan_trees(problem.ranks, problem.blocks)
                 : two_tree_broadcast_trees(problem.ranks, problem.blocks);
}

}  // namespace

void bind_two_trees(nb::module_& module) {
  nb::class_<Place>(module, "TreePlace", "One node's place in one tree; None: there is no such neighbour.")
      .def_prop_ro("parent", [](const Place& place) { return named(place.parent); })
      .def_prop_ro("lower_child", [](const Place& place) { return named(place.lower_child); })
      .def_prop_ro("higher_child", [](const Place& place) { return named(place.higher_child); })
      .def_ro("color", &Place::color, "Of the edge into the node: 0 works in even rounds, 1 in odd ones.")
      .def_ro("arrival", &Place::arrival, "The round in which that edge is first used.");
  nb::class_<Violation>(module, "TwoTreesViolation", "One thing that is wrong with a node; str() says what.")
      .def_ro("node", &Violation::node)
      .def("__str__", &two_trees::message)
      .def("__repr__", &two_trees::message);
  nb::class_<Report>(module, "TwoTreesReport", "What a check of all nodes found.")
      .def_ro("nodes", &Report::nodes)
      .def_ro("pairs", &Report::pairs, "The pairs of trees over so many nodes.")
      .def_ro("violations", &Report::violations, "All that is wrong; empty if all is right.")
      .def_ro("height", &Report::height, "The most nodes on a way down.")
      .def_ro("latest", &Report::latest, "The last round in which an edge is first used.");
  nb::class_<Pair>(module, "TwoTrees",
                   "Two trees over N nodes, numbered in order: even blocks go through the first, odd ones "
                   "through the second.")
      .def_ro("nodes", &Pair::nodes)
      .def("places", &places_of, "node"_a,
           "The places of one node in both. Raises ValueError unless 0 <= node < nodes. O(log N).")
      .def_prop_ro(
          "tops",
          [](const Pair& trees) { return std::array{top(trees, Which::first), top(trees, Which::second)}; },
          "The tops of both. O(log N).");
  module.def(
      "two_trees_of", &trees_of, "problem"_a,
      R"(The two trees that take the fewest rounds for a problem's ranks and blocks; None where none are needed.

Over all ranks in a scan, over all but the root elsewhere, counted from the rank after it on. O(log p).
Source: Sanders, Speck, Träff 2009, Section 2 and appendix.)");
  module.def("check_two_trees", nb::overload_cast<Rank>(&two_trees::check), "nodes"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             R"(Check all pairs of two trees over N = `nodes` nodes, all nodes as a whole.

That is Lemma 1 (no two edges of one colour into a node, or from a node to its children), the trees' shape and order,
and when their edges are used. Runs without the GIL. Raises ValueError unless nodes >= 1. O(N log N).)");
}

}  // namespace rota
