#include "rota/matchings/edge_colouring.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace rota {

namespace {

/// The edges of one colour: of each left vertex, one.
using ColourClass = std::vector<Slot>;

/// The graph without a perfect matching, and that matching.
struct Parted {
  ColourClass matching;
  RegularBipartite rest;
};

Parted parted(const RegularBipartite& graph, Random& random) {
  const std::vector<std::size_t> matched = perfect_matching(graph, random);
  Parted result{{}, {graph.vertices, graph.degree - 1, {}}};
  result.matching.reserve(graph.vertices);
  result.rest.slots.reserve(graph.vertices * (graph.degree - 1));
  for (std::size_t left = 0; left < graph.vertices; ++left) {
    const Slot* const row = graph.slots.data() + left * graph.degree;
    const Slot* const taken = row + matched[left];
    result.matching.push_back(*taken);
    result.rest.slots.insert(result.rest.slots.end(), row, taken);
    result.rest.slots.insert(result.rest.slots.end(), taken + 1, row + graph.degree);
  }
  return result;
}

/// The graph with the edges of these colours as well.
RegularBipartite joined(const RegularBipartite& graph, std::span<const ColourClass> classes) {
  RegularBipartite result{graph.vertices, graph.degree + classes.size(), {}};
  result.slots.reserve(result.vertices * result.degree);
  for (std::size_t left = 0; left < graph.vertices; ++left) {
    const Slot* const row = graph.slots.data() + left * graph.degree;
    result.slots.insert(result.slots.end(), row, row + graph.degree);
    for (const ColourClass& each : classes) result.slots.push_back(each[left]);
  }
  return result;
}

class Colouring {
 public:
  explicit Colouring(std::uint64_t seed) : random_(seed) {}

  std::vector<ColourClass> classes_of(RegularBipartite graph) && {
    colour(std::move(graph));
    return std::move(classes_);
  }

 private:
  /// Adds as many classes as the graph's degree.
  void colour(RegularBipartite graph) {
    if (graph.degree == 0) return;
    if (std::has_single_bit(graph.degree)) {
      split_up(std::move(graph));
    } else if (graph.degree % 2 == 1) {
      Parted parts = parted(graph, random_);
      graph = {};
      colour(std::move(parts.rest));
      classes_.push_back(std::move(parts.matching));
    } else {
      Halves halves = euler_split(graph);
      graph = {};
      colour(std::move(halves.first));
      split_up(with_last_classes(halves.second));
    }
  }

  /// The graph and the last classes back in it, so many that its degree is a power of two.
  RegularBipartite with_last_classes(const RegularBipartite& graph) {
    const std::size_t missing = std::bit_ceil(graph.degree) - graph.degree;
    const std::span<const ColourClass> last = std::span(classes_).last(missing);
    RegularBipartite result = joined(graph, last);
    classes_.resize(classes_.size() - missing);
    return result;
  }

  /// A graph whose degree is a power of two.
  void split_up(RegularBipartite graph) {
    if (graph.degree == 1) {
      classes_.push_back(std::move(graph.slots));
      return;
    }
    Halves halves = euler_split(graph);
    graph = {};
    split_up(std::move(halves.first));
    split_up(std::move(halves.second));
  }

  Random random_;
  std::vector<ColourClass> classes_;
};

}  // namespace

EdgeColouring edge_colouring(std::size_t vertices, std::span<const BipartiteEdge> edges, std::uint64_t seed) {
  EdgeColouring result{0, std::vector<std::int32_t>(edges.size())};
  for (const ColourClass& each : Colouring(seed).classes_of(made_regular(vertices, edges))) {
    for (const Slot slot : each) {
      if (slot.edge >= 0) result.of_edges[static_cast<std::size_t>(slot.edge)] = result.colours;
    }
    ++result.colours;
  }
  return result;
}

}  // namespace rota
