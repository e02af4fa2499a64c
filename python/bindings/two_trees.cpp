// The two trees of paper 4, and their check, as Python functions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bindings.hpp"
#include "data.hpp"
#include "rota/generators/two_trees/two_tree_broadcast.hpp"
#include "rota/generators/two_trees/two_tree_scan.hpp"
#include "rota/trees/two_trees_conditions.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using two_trees::Form;
using two_trees::Pair;
using two_trees::Place;
using two_trees::Report;
using two_trees::Violation;
using two_trees::Which;

/// A neighbour as Python sees it, and back.
auto named_in(Rank Place::* neighbour) {
  return [neighbour](const Place& place) {
    return place.*neighbour == two_trees::none ? std::nullopt : std::optional(place.*neighbour);
  };
}

auto taken_into(Rank Place::* neighbour) {
  return [neighbour](Place& place, std::optional<Rank> node) {
    place.*neighbour = node.value_or(two_trees::none);
  };
}

constexpr std::array<std::string_view, 3> forms{"upright", "mirrored", "shifted"};  // in the order of Form

/// A tree's form as Python sees it, and back.
auto form_in(Form Pair::* tree) {
  return [tree](const Pair& trees) { return std::string(forms.at(static_cast<std::size_t>(trees.*tree))); };
}

auto form_into(Form Pair::* tree) {
  return [tree](Pair& trees, const std::string& name) {
    const auto* const form = std::ranges::find(forms, name);
    if (form == forms.end()) throw std::invalid_argument(name + " is no form of a tree");
    trees.*tree = static_cast<Form>(form - forms.begin());
  };
}

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
  Data<Place>(module, "TreePlace", "One node's place in one tree; None: there is no such neighbour.")
      .field("parent", named_in(&Place::parent), taken_into(&Place::parent))
      .field("lower_child", named_in(&Place::lower_child), taken_into(&Place::lower_child))
      .field("higher_child", named_in(&Place::higher_child), taken_into(&Place::higher_child))
      .field("color", &Place::color, "Of the edge into the node: 0 works in even rounds, 1 in odd ones.")
      .field("arrival", &Place::arrival, "The round in which that edge is first used.");
  nb::class_<Violation> violation_class(module, "TwoTreesViolation",
                                        "One thing that is wrong with a node; str() says what.");
  compare_by_value(violation_class, [](const Violation& one) {
    return nb::make_tuple(one.pair, static_cast<int>(one.tree), one.node, one.fault);
  });
  violation_class.def_ro("node", &Violation::node)
      .def("__str__", &two_trees::message)
      .def("__repr__", &two_trees::message);
  nb::class_<Report> report_class(module, "TwoTreesReport", "What a check of all nodes found.");
  compare_by_value(report_class, [](const Report& one) {
    return nb::make_tuple(one.nodes, one.pairs, one.violations, one.height, one.latest);
  });
  report_class.def_ro("nodes", &Report::nodes)
      .def_ro("pairs", &Report::pairs, "The pairs of trees over so many nodes.")
      .def_ro("violations", &Report::violations, "All that is wrong; empty if all is right.")
      .def_ro("height", &Report::height, "The most nodes on a way down.")
      .def_ro("latest", &Report::latest, "The last round in which an edge is first used.")
      .def("__repr__", [](const Report& report) {
        return "<TwoTreesReport: " + std::to_string(report.nodes) + " nodes, " +
               std::to_string(report.violations.size()) + " violations>";
      });
  Data<Pair>(module, "TwoTrees",
             "Two trees over N nodes, numbered in order: even blocks go through the first, odd ones "
             "through the second.")
      .field("nodes", &Pair::nodes)
      .field("first", form_in(&Pair::first), form_into(&Pair::first), "upright, mirrored or shifted")
      .field("second", form_in(&Pair::second), form_into(&Pair::second), "The same of the second tree.")
      .itself()
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
