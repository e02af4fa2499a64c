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
#include "rota/trees/two_trees_conditions.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using two_trees::Place;
using two_trees::Report;
using two_trees::Violation;
using two_trees::Which;

std::optional<Rank> named(Rank node) { return node == two_trees::none ? std::nullopt : std::optional(node); }

std::array<Place, 2> places_of(Rank nodes, Rank node) {
  if (node < 0 || node >= nodes) {
    throw std::invalid_argument("there is no node " + std::to_string(node) + " among " +
                                std::to_string(nodes) + ": give one from 0 to " + std::to_string(nodes - 1));
  }
  return {place(nodes, Which::first, node), place(nodes, Which::second, node)};
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
      .def_ro("violations", &Report::violations, "All that is wrong; empty if all is right.")
      .def_ro("height", &Report::height, "The most nodes on a way down.")
      .def_ro("latest", &Report::latest, "The last round in which an edge is first used.");
  module.def("two_tree_places", &places_of, "nodes"_a, "node"_a,
             R"(The places of one node in the two trees over N = `nodes` nodes, numbered in order.

Raises ValueError unless 0 <= node < nodes. O(log N). Source: Sanders, Speck, Träff 2009, Section 2 and appendix.)");
  module.def(
      "two_tree_tops",
      [](Rank nodes) {
        places_of(nodes, 0);
        return std::array{top(nodes, Which::first), top(nodes, Which::second)};
      },
      "nodes"_a, "The tops of the two trees. Raises ValueError unless nodes >= 1. O(log N).");
  module.def("check_two_trees", nb::overload_cast<Rank>(&two_trees::check), "nodes"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             R"(Check the two trees over N = `nodes` nodes, all nodes as a whole.

That is Lemma 1 (no two edges of one colour into a node, or from a node to its children), the trees' shape and order,
and when their edges are used. Runs without the GIL. Raises ValueError unless nodes >= 1. O(N log N).)");
}

}  // namespace rota
