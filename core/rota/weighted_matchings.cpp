#include "rota/weighted_matchings.hpp"

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
struct Entry {
  std::int32_t right = 0;
  std::int32_t edge = none;
  std::int64_t edge_left = 0;  // of the edge's weight
  std::int64_t left = 0;       // of weight and padding
};

/// The edges, padded so that the sum at every vertex is the same.
struct PaddedGraph {
  std::vector<std::vector<Entry>> rows;  // by left vertex
};

struct Sums {
  std::vector<std::int64_t> left;
  std::vector<std::int64_t> right;
};

Sums sums_of(std::size_t vertices, std::span<const WeightedEdge> edges) {
  Sums sums{std::vector<std::int64_t>(vertices), std::vector<std::int64_t>(vertices)};
  for (const WeightedEdge& edge : edges) {
    sums.left[index(edge.left)] += edge.weight;
    sums.right[index(edge.right)] += edge.weight;
  }
  return sums;
}

std::int64_t largest(const Sums& sums) {
  if (sums.left.empty()) return 0;
  return std::max(std::ranges::max(sums.left), std::ranges::max(sums.right));
}

/// The edges in decreasing order of weight: padding goes to large ones first, where it makes no more
/// matchings necessary.
std::vector<std::size_t> heaviest_first(std::span<const WeightedEdge> edges) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
    return std::pair(-edges[one].weight, one) < std::pair(-edges[other].weight, other);
  });
  return order;
}

/// What is missing on both sides sums up to the same: entries of padding alone, at most one for each vertex.
void add_padding(PaddedGraph& graph, Sums& missing) {
  std::size_t right = 0;
  for (std::size_t left = 0; left < graph.rows.size(); ++left) {
    while (missing.left[left] > 0) {
      while (missing.right[right] == 0) ++right;
      const std::int64_t padding = std::min(missing.left[left], missing.right[right]);
      graph.rows[left].push_back({static_cast<std::int32_t>(right), none, 0, padding});
      missing.left[left] -= padding;
      missing.right[right] -= padding;
    }
  }
}

PaddedGraph padded(std::size_t vertices, std::span<const WeightedEdge> edges) {
  Sums missing = sums_of(vertices, edges);
  const std::int64_t whole = largest(missing);
  for (std::vector<std::int64_t>* const side : {&missing.left, &missing.right}) {
    for (std::int64_t& sum : *side) sum = whole - sum;
  }
  PaddedGraph graph{std::vector<std::vector<Entry>>(vertices)};
  for (const std::size_t i : heaviest_first(edges)) {
    const WeightedEdge& edge = edges[i];
    if (edge.weight == 0) continue;
    std::int64_t& left = missing.left[index(edge.left)];
    std::int64_t& right = missing.right[index(edge.right)];
    const std::int64_t padding = std::min(left, right);
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
class BottleneckMatching {
 public:
  explicit BottleneckMatching(PaddedGraph graph)
      : rows_(std::move(graph.rows)),
        matched_(rows_.size(), none),
        left_of_(rows_.size(), none),
        reached_from_(rows_.size()),
        reached_in_(rows_.size()) {
    for (const std::vector<Entry>& row : rows_) {
      for (const Entry& entry : row) threshold_ = std::max(threshold_, entry.left);
    }
  }

  /// Makes it perfect again.
  void complete() {
    for (std::size_t left = 0; left < rows_.size(); ++left) {
      while (matched_[left] == none && !augment(left)) threshold_ = largest_beyond();
    }
  }

  /// Takes the least entry from all, and gives what of the edges is in it.
  WeightedMatching take() {
    WeightedMatching result{least(), {}};
    for (std::size_t left = 0; left < rows_.size(); ++left) {
      Entry& entry = matched_entry(left);
      const std::int64_t part = std::min(entry.edge_left, result.duration);
      if (part > 0) result.parts.push_back({entry.edge, part});
      entry.edge_left -= part;
      entry.left -= result.duration;
      if (entry.left < threshold_) unmatch(left);
    }
    return result;
  }

 private:
  Entry& matched_entry(std::size_t left) { return rows_[left][index(matched_[left])]; }

  std::int64_t least() {
    std::int64_t result = matched_entry(0).left;
    for (std::size_t left = 1; left < rows_.size(); ++left)
      result = std::min(result, matched_entry(left).left);
    return result;
  }

  void unmatch(std::size_t left) {
    std::vector<Entry>& row = rows_[left];
    Entry& entry = matched_entry(left);
    left_of_[index(entry.right)] = none;
    if (entry.left == 0) {
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
      const std::vector<Entry>& row = rows_[index(queue_[next])];
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
  std::int64_t largest_beyond() const {
    std::int64_t result = 0;
    for (const std::int32_t left : queue_) {
      for (const Entry& entry : rows_[index(left)]) {
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

  std::vector<std::vector<Entry>> rows_;
  std::vector<std::int32_t> matched_;  // of each left vertex, the position of its entry in its row
  std::vector<std::int32_t> left_of_;  // of each right vertex
  std::int64_t threshold_ = 0;
  std::int64_t search_ = 0;
  std::vector<std::int32_t> queue_;
  std::vector<Reached> reached_from_;
  std::vector<std::int64_t> reached_in_;  // the last search that reached each right vertex
};

/// The graph without vertices that have no edge on either side, so far as both sides stay equally large.
struct Compact {
  std::size_t vertices;
  std::vector<WeightedEdge> edges;
};

/// New numbers, in the same order, for the vertices whose sum is not 0.
std::vector<std::int32_t> renumbered(const std::vector<std::int64_t>& sums) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(sums.size());
  std::int32_t next = 0;
  for (const std::int64_t sum : sums) numbers.push_back(sum > 0 ? next++ : next);
  return numbers;
}

Compact compacted(std::size_t vertices, std::span<const WeightedEdge> edges) {
  const Sums sums = sums_of(vertices, edges);
  const std::vector<std::int32_t> left = renumbered(sums.left);
  const std::vector<std::int32_t> right = renumbered(sums.right);
  const auto used = [](std::int64_t sum) { return sum > 0; };
  Compact result{static_cast<std::size_t>(std::max(std::ranges::count_if(sums.left, used),
                                                   std::ranges::count_if(sums.right, used))),
                 {}};
  result.edges.reserve(edges.size());
  for (const WeightedEdge& edge : edges) {
    // Edges without weight stay, so that all keep their numbers; where they lie is of no consequence.
    result.edges.push_back(edge.weight == 0
                               ? WeightedEdge{}
                               : WeightedEdge{left[index(edge.left)], right[index(edge.right)], edge.weight});
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
  const Compact graph = compacted(vertices, edges);
  std::int64_t left = graph.vertices == 0 ? 0 : largest_weight(graph.vertices, graph.edges);
  std::vector<WeightedMatching> result;
  BottleneckMatching matching(graph.vertices == 0 ? PaddedGraph{} : padded(graph.vertices, graph.edges));
  while (left > 0) {
    matching.complete();
    result.push_back(matching.take());
    left -= result.back().duration;
  }
  return result;
}

}  // namespace rota
