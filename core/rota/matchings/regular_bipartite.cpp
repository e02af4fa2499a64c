#include "rota/matchings/regular_bipartite.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace rota {

namespace {

constexpr std::int32_t none = -1;

std::size_t index(std::int32_t value) { return static_cast<std::size_t>(value); }

struct Degrees {
  std::vector<std::size_t> left;
  std::vector<std::size_t> right;
};

Degrees degrees_of(std::size_t vertices, std::span<const BipartiteEdge> edges) {
  Degrees degrees{std::vector<std::size_t>(vertices), std::vector<std::size_t>(vertices)};
  for (const BipartiteEdge& edge : edges) {
    ++degrees.left[index(edge.left)];
    ++degrees.right[index(edge.right)];
  }
  return degrees;
}

std::size_t largest(const Degrees& degrees) {
  if (degrees.left.empty()) return 0;
  return std::max(std::ranges::max(degrees.left), std::ranges::max(degrees.right));
}

/// Into which vertex each one is merged, and how many there are then.
struct Merging {
  std::vector<std::int32_t> into;
  std::size_t vertices = 0;
};

/// Vertices one after the other, as many together as have `most` edges at most. Two neighbours have more than
/// that together, so that there are at most 2 E / most + 1.
Merging merged(const std::vector<std::size_t>& degrees, std::size_t most) {
  Merging merging{std::vector<std::int32_t>(degrees.size(), none), 0};
  std::size_t used = most;
  for (std::size_t vertex = 0; vertex < degrees.size(); ++vertex) {
    if (degrees[vertex] == 0) continue;
    if (used + degrees[vertex] > most) {
      ++merging.vertices;
      used = 0;
    }
    used += degrees[vertex];
    merging.into[vertex] = static_cast<std::int32_t>(merging.vertices - 1);
  }
  return merging;
}

/// Adds the edges without number: `used` and `taken` say how many edges each left and right vertex has.
void fill_up(RegularBipartite& graph, std::vector<std::size_t>& used, std::vector<std::size_t>& taken) {
  std::size_t right = 0;
  for (std::size_t left = 0; left < graph.vertices; ++left) {
    while (used[left] < graph.degree) {
      while (taken[right] == graph.degree) ++right;
      graph.slots[left * graph.degree + used[left]++] = {static_cast<std::int32_t>(right), none};
      ++taken[right];
    }
  }
}

}  // namespace

std::size_t largest_degree(std::size_t vertices, std::span<const BipartiteEdge> edges) {
  return largest(degrees_of(vertices, edges));
}

RegularBipartite made_regular(std::size_t vertices, std::span<const BipartiteEdge> edges) {
  const Degrees degrees = degrees_of(vertices, edges);
  const std::size_t degree = largest(degrees);
  const Merging left = merged(degrees.left, degree);
  const Merging right = merged(degrees.right, degree);
  RegularBipartite graph{std::max(left.vertices, right.vertices), degree, {}};
  if (graph.vertices * degree > std::numeric_limits<std::int32_t>::max())
    throw std::length_error("more than 2^31 - 1 messages; schedule fewer at a time");
  graph.slots.resize(graph.vertices * degree);
  std::vector<std::size_t> used(graph.vertices);
  std::vector<std::size_t> taken(graph.vertices);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::size_t from = index(left.into[index(edges[i].left)]);
    const std::int32_t to = right.into[index(edges[i].right)];
    graph.slots[from * degree + used[from]++] = {to, static_cast<std::int32_t>(i)};
    ++taken[index(to)];
  }
  fill_up(graph, used, taken);
  return graph;
}

namespace {

/// For each slot the other one that it is paired with at its right vertex, where degrees are even.
std::vector<std::uint32_t> paired_at_right(const RegularBipartite& graph) {
  constexpr std::uint32_t unpaired = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> waiting(graph.vertices, unpaired);
  std::vector<std::uint32_t> partner(graph.slots.size());
  // Half of all slots find one waiting, in no order that could be predicted: so without a branch. A slot that finds none is
  // its own partner until one comes.
  for (std::uint32_t i = 0; i < partner.size(); ++i) {
    std::uint32_t& waits = waiting[index(graph.slots[i].right)];
    const bool is_first = waits == unpaired;
    const std::uint32_t other = is_first ? i : waits;
    waits = is_first ? i : unpaired;
    partner[i] = other;
    partner[other] = i;
  }
  return partner;
}

/// For each left pair of slots, 2 i and 2 i + 1, which of the two is in the first half.
std::vector<std::uint8_t> chosen_of_pairs(const RegularBipartite& graph) {
  // Pairs at left and at right vertices make closed walks, along which slots go to the first and the second half in turn.
  constexpr std::uint8_t not_walked = 2;
  const std::vector<std::uint32_t> partner = paired_at_right(graph);
  std::vector<std::uint8_t> chosen(partner.size() / 2, not_walked);
  for (std::uint32_t pair = 0; pair < chosen.size(); ++pair) {
    for (std::uint32_t i = 2 * pair; chosen[i / 2] == not_walked; i = partner[i ^ 1U]) {
      chosen[i / 2] = static_cast<std::uint8_t>(i % 2);
    }
  }
  return chosen;
}

}  // namespace

Halves euler_split(const RegularBipartite& graph) {
  const std::vector<std::uint8_t> chosen = chosen_of_pairs(graph);
  Halves halves{{graph.vertices, graph.degree / 2, std::vector<Slot>(chosen.size())},
                {graph.vertices, graph.degree / 2, std::vector<Slot>(chosen.size())}};
  for (std::size_t pair = 0; pair < chosen.size(); ++pair) {
    halves.first.slots[pair] = graph.slots[2 * pair + chosen[pair]];
    halves.second.slots[pair] = graph.slots[2 * pair + 1 - chosen[pair]];
  }
  return halves;
}

namespace {

/// A matching that grows by one walk at a time.
class GrowingMatching {
 public:
  GrowingMatching(const RegularBipartite& graph, Random& random)
      : graph_(graph),
        random_(random),
        matched_(graph.vertices, graph.degree),
        exit_(graph.vertices),
        left_of_(graph.vertices, none) {}

  void grow_from(std::size_t left) {
    walk_from(left);
    flip_from(left);
  }

  std::vector<std::size_t> matched() && { return std::move(matched_); }

 private:
  /// Leaves each left vertex by a random edge that is not matched, and each matched right one by the edge
  /// that is, until it comes to a free one. The last exits from the vertices make a path without repetition.
  void walk_from(std::size_t left) {
    for (;;) {
      do {
        exit_[left] = random_.below(static_cast<std::uint32_t>(graph_.degree));
      } while (exit_[left] == matched_[left]);
      const std::int32_t next = left_of_[right_of(left)];
      if (next == none) return;
      left = index(next);
    }
  }

  void flip_from(std::size_t left) {
    for (auto next = static_cast<std::int32_t>(left); next != none;) {
      left = index(next);
      matched_[left] = exit_[left];
      next = std::exchange(left_of_[right_of(left)], static_cast<std::int32_t>(left));
    }
  }

  /// Where the exit of a left vertex leads to.
  std::size_t right_of(std::size_t left) const {
    return index(graph_.slots[left * graph_.degree + exit_[left]].right);
  }

  const RegularBipartite& graph_;
  Random& random_;
  std::vector<std::size_t> matched_;  // the degree, for a left vertex that is free
  std::vector<std::size_t> exit_;
  std::vector<std::int32_t> left_of_;  // of each right vertex
};

}  // namespace

std::vector<std::size_t> perfect_matching(const RegularBipartite& graph, Random& random) {
  GrowingMatching matching(graph, random);
  for (std::size_t left = 0; left < graph.vertices; ++left) matching.grow_from(left);
  return std::move(matching).matched();
}

}  // namespace rota
