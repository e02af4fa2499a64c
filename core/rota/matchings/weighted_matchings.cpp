#include "rota/matchings/weighted_matchings.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace rota {

namespace {

constexpr std::int32_t none = -1;

std::size_t index(std::int32_t value) { return static_cast<std::size_t>(value); }

/// An edge with its padding, or padding alone.
template <class Weight>
struct Entry {
  std::int32_t right = 0;
  std::int32_t edge = none;
  Weight edge_left{};  // of the edge's weight
  Weight left{};       // of weight and padding
};

/// The edges, padded so that the sum at every vertex is the same.
template <class Weight>
struct PaddedGraph {
  std::vector<std::vector<Entry<Weight>>> rows;  // by left vertex
};

template <class Weight>
struct Sums {
  std::vector<Weight> left;
  std::vector<Weight> right;
};

template <class Weight>
using Edges = std::span<const BasicWeightedEdge<Weight>>;

template <class Weight>
Sums<Weight> sums_of(std::size_t vertices, Edges<Weight> edges) {
  Sums<Weight> sums{std::vector<Weight>(vertices), std::vector<Weight>(vertices)};
  for (const BasicWeightedEdge<Weight>& edge : edges) {
    sums.left[index(edge.left)] += edge.weight;
    sums.right[index(edge.right)] += edge.weight;
  }
  return sums;
}

template <class Weight>
Weight largest(const Sums<Weight>& sums) {
  if (sums.left.empty()) return Weight{};
  return std::max(std::ranges::max(sums.left), std::ranges::max(sums.right));
}

/// The edges in decreasing order of weight: padding goes to large ones first, where it makes no more
/// matchings necessary.
template <class Weight>
std::vector<std::size_t> heaviest_first(Edges<Weight> edges) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
    if (edges[one].weight == edges[other].weight) return one < other;
    return edges[one].weight > edges[other].weight;
  });
  return order;
}

/// What is missing on both sides sums up to the same: entries of padding alone, at most one for each vertex.
template <class Weight>
void add_padding(PaddedGraph<Weight>& graph, Sums<Weight>& missing) {
  const Weight zero{};
  std::size_t right = 0;
  for (std::size_t left = 0; left < graph.rows.size(); ++left) {
    while (missing.left[left] > zero) {
      while (missing.right[right] == zero) ++right;
      const Weight padding = std::min(missing.left[left], missing.right[right]);
      graph.rows[left].push_back({static_cast<std::int32_t>(right), none, zero, padding});
      missing.left[left] -= padding;
      missing.right[right] -= padding;
    }
  }
}

template <class Weight>
PaddedGraph<Weight> padded(std::size_t vertices, Edges<Weight> edges) {
  Sums<Weight> missing = sums_of(vertices, edges);
  const Weight whole = largest(missing);
  for (std::vector<Weight>* const side : {&missing.left, &missing.right}) {
    for (Weight& sum : *side) sum = whole - sum;
  }
  PaddedGraph<Weight> graph{std::vector<std::vector<Entry<Weight>>>(vertices)};
  for (const std::size_t i : heaviest_first(edges)) {
    const BasicWeightedEdge<Weight>& edge = edges[i];
    if (edge.weight == Weight{}) continue;
    Weight& left = missing.left[index(edge.left)];
    Weight& right = missing.right[index(edge.right)];
    const Weight padding = std::min(left, right);
    left -= padding;
    right -= padding;
    graph.rows[index(edge.left)].push_back(
        {edge.right, static_cast<std::int32_t>(i), edge.weight, edge.weight + padding});
  }
  add_padding(graph, missing);
  return graph;
}

/// A perfect matching of what is left whose least entry is as large as can be. What is left only becomes
/// less, and so does that least entry: it is the threshold below which entries are not used, and is lowered
/// when it must be.
template <class Weight>
class BottleneckMatching {
 public:
  explicit BottleneckMatching(PaddedGraph<Weight> graph)
      : rows_(std::move(graph.rows)),
        matched_(rows_.size(), none),
        left_of_(rows_.size(), none),
        reached_from_(rows_.size()),
        reached_in_(rows_.size()) {
    for (const std::vector<Entry<Weight>>& row : rows_) {
      for (const Entry<Weight>& entry : row) threshold_ = std::max(threshold_, entry.left);
    }
  }

  /// Makes it perfect again.
  void complete() {
    for (std::size_t left = 0; left < rows_.size(); ++left) {
      while (matched_[left] == none && !augment(left)) threshold_ = largest_beyond();
    }
  }

  /// Takes the least entry from all, and gives what of the edges is in it.
  BasicWeightedMatching<Weight> take() {
    BasicWeightedMatching<Weight> result{least(), {}};
    for (std::size_t left = 0; left < rows_.size(); ++left) {
      Entry<Weight>& entry = matched_entry(left);
      const Weight part = std::min(entry.edge_left, result.duration);
      if (part > Weight{}) result.parts.push_back({entry.edge, part});
      entry.edge_left -= part;
      entry.left -= result.duration;
      if (entry.left < threshold_) unmatch(left);
    }
    return result;
  }

 private:
  Entry<Weight>& matched_entry(std::size_t left) { return rows_[left][index(matched_[left])]; }

  Weight least() {
    Weight result = matched_entry(0).left;
    for (std::size_t left = 1; left < rows_.size(); ++left)
      result = std::min(result, matched_entry(left).left);
    return result;
  }

  void unmatch(std::size_t left) {
    std::vector<Entry<Weight>>& row = rows_[left];
    Entry<Weight>& entry = matched_entry(left);
    left_of_[index(entry.right)] = none;
    if (entry.left == Weight{}) {
      entry = row.back();
      row.pop_back();
    }
    matched_[left] = none;
  }

  /// Breadth first from a free left vertex, over entries not below the threshold, to a free right one.
  bool augment(std::size_t free_left) {
    ++search_;
    queue_.assign(1, static_cast<std::int32_t>(free_left));
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const std::vector<Entry<Weight>>& row = rows_[index(queue_[next])];
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t right = index(row[i].right);
        if (row[i].left < threshold_ || reached_in_[right] == search_) continue;
        reached_in_[right] = search_;
        reached_from_[right] = {queue_[next], static_cast<std::int32_t>(i)};
        if (left_of_[right] == none) {
          flip_to(right);
          return true;
        }
        queue_.push_back(left_of_[right]);
      }
    }
    return false;
  }

  void flip_to(std::size_t right) {
    for (;;) {
      const Reached from = reached_from_[right];
      const std::int32_t before = matched_[index(from.left)];
      matched_[index(from.left)] = from.position;
      left_of_[right] = from.left;
      if (before == none) return;
      right = index(rows_[index(from.left)][index(before)].right);
    }
  }

  /// After a search without success, the left vertices reached have, not below the threshold, entries only to
  /// as many right ones less one. Every perfect matching takes an entry that leads elsewhere: the largest
  /// one.
  Weight largest_beyond() const {
    Weight result{};
    for (const std::int32_t left : queue_) {
      for (const Entry<Weight>& entry : rows_[index(left)]) {
        if (reached_in_[index(entry.right)] != search_) result = std::max(result, entry.left);
      }
    }
    return result;
  }

  /// An entry: of which left vertex, and at which position in its row.
  struct Reached {
    std::int32_t left;
    std::int32_t position;
  };

  std::vector<std::vector<Entry<Weight>>> rows_;
  std::vector<std::int32_t> matched_;  // of each left vertex, the position of its entry in its row
  std::vector<std::int32_t> left_of_;  // of each right vertex
  Weight threshold_{};
  std::int64_t search_ = 0;
  std::vector<std::int32_t> queue_;
  std::vector<Reached> reached_from_;
  std::vector<std::int64_t> reached_in_;  // the last search that reached each right vertex
};

/// The graph without vertices that have no edge on either side, so far as both sides stay equally large.
template <class Weight>
struct Compact {
  std::size_t vertices;
  std::vector<BasicWeightedEdge<Weight>> edges;
};

/// New numbers, in the same order, for the vertices whose sum is not 0.
template <class Weight>
std::vector<std::int32_t> renumbered(const std::vector<Weight>& sums) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(sums.size());
  std::int32_t next = 0;
  for (const Weight& sum : sums) numbers.push_back(sum > Weight{} ? next++ : next);
  return numbers;
}

template <class Weight>
Compact<Weight> compacted(std::size_t vertices, Edges<Weight> edges) {
  const Sums<Weight> sums = sums_of(vertices, edges);
  const std::vector<std::int32_t> left = renumbered(sums.left);
  const std::vector<std::int32_t> right = renumbered(sums.right);
  const auto used = [](const Weight& sum) { return sum > Weight{}; };
  Compact<Weight> result{static_cast<std::size_t>(std::max(std::ranges::count_if(sums.left, used),
                                                           std::ranges::count_if(sums.right, used))),
                         {}};
  result.edges.reserve(edges.size());
  for (const BasicWeightedEdge<Weight>& edge : edges) {
    // Edges without weight stay, so that all keep their numbers; where they lie is of no consequence.
    result.edges.push_back(
        edge.weight == Weight{}
            ? BasicWeightedEdge<Weight>{}
            : BasicWeightedEdge<Weight>{left[index(edge.left)], right[index(edge.right)], edge.weight});
  }
  return result;
}

template <class Weight>
std::vector<BasicWeightedMatching<Weight>> taken_apart(std::size_t vertices, Edges<Weight> edges) {
  const Compact<Weight> graph = compacted(vertices, edges);
  std::vector<BasicWeightedMatching<Weight>> result;
  if (graph.vertices == 0) return result;
  const Edges<Weight> compact_edges(graph.edges);
  Weight left = largest(sums_of(graph.vertices, compact_edges));
  BottleneckMatching<Weight> matching(padded(graph.vertices, compact_edges));
  while (left > Weight{}) {
    matching.complete();
    result.push_back(matching.take());
    left -= result.back().duration;
  }
  return result;
}

}  // namespace

std::int64_t largest_weight(std::size_t vertices, std::span<const WeightedEdge> edges) {
  return largest(sums_of(vertices, edges));
}

std::vector<WeightedMatching> weighted_matchings(std::size_t vertices, std::span<const WeightedEdge> edges) {
  for (const WeightedEdge& edge : edges) {
    if (edge.weight < 0)
      throw std::invalid_argument("a weight of " + std::to_string(edge.weight) + "; give 0 or more");
  }
  return taken_apart(vertices, edges);
}

std::vector<BasicWeightedMatching<Wide>> weighted_matchings(std::size_t vertices,
                                                            std::span<const BasicWeightedEdge<Wide>> edges) {
  return taken_apart(vertices, edges);
}

}  // namespace rota
