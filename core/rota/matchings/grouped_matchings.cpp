#include "rota/matchings/grouped_matchings.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace rota {

namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::size_t count_of(const Groups& groups) {
  return groups.empty() ? 0 : index(*std::ranges::max_element(groups)) + 1;
}

/// Sums of weights at the vertices and groups of one side.
struct Side {
  Side(const Groups& group_of, std::int64_t k)
      : groups(group_of), at_once(k), vertices(group_of.size(), 0), of_groups(count_of(group_of), 0) {}

  void add(std::int32_t vertex, std::int64_t weight) {
    vertices[index(vertex)] += weight;
    of_groups[index(groups[index(vertex)])] += weight;
  }

  std::int64_t length() const {
    std::int64_t most = 0;
    for (const std::int64_t each : vertices) most = std::max(most, each);
    for (const std::int64_t each : of_groups) most = std::max(most, (each + at_once - 1) / at_once);
    return most;
  }

  const Groups& groups;
  std::int64_t at_once;
  std::vector<std::int64_t> vertices;
  std::vector<std::int64_t> of_groups;
};

/// A flow in integers between bounds, from node 0 to node 1.
class BoundedFlow {
 public:
  explicit BoundedFlow(std::size_t nodes) : from_(nodes + 2), missing_(nodes, 0), extra_(nodes) {}

  std::size_t add(std::size_t from, std::size_t to, std::int64_t least, std::int64_t most) {
    missing_[from] += least;
    missing_[to] -= least;
    return arc(from, to, most - least);
  }

  /// One that fulfils all lower bounds, and then as much as there can be.
  void find() {
    const std::size_t back = arc(1, 0, std::numeric_limits<std::int64_t>::max() / 2);
    const std::size_t first = arcs_.size();
    for (std::size_t node = 0; node < missing_.size(); ++node) {
      if (missing_[node] < 0) arc(extra_, node, -missing_[node]);
      if (missing_[node] > 0) arc(node, extra_ + 1, missing_[node]);
    }
    augment(extra_, extra_ + 1);
    for (std::size_t i = first; i < arcs_.size(); ++i) arcs_[i].left = 0;
    arcs_[back].left = arcs_[back + 1].left = 0;
    augment(0, 1);
  }

  /// Through an arc, beyond its lower bound.
  std::int64_t through(std::size_t arc) const { return arcs_[arc + 1].left; }

 private:
  struct Arc {
    std::size_t to;
    std::int64_t left;
  };

  std::size_t arc(std::size_t from, std::size_t to, std::int64_t most) {
    from_[from].push_back(arcs_.size());
    arcs_.push_back({to, most});
    from_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
    return arcs_.size() - 2;
  }

  void augment(std::size_t source, std::size_t sink) {
    while (find_path(source, sink)) {
      for (std::size_t node = sink; node != source; node = arcs_[by_[node] ^ 1U].to) {
        --arcs_[by_[node]].left;
        ++arcs_[by_[node] ^ 1U].left;
      }
    }
  }

  /// Leaves in by_ the arc by which each node was reached.
  bool find_path(std::size_t source, std::size_t sink) {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    by_.assign(from_.size(), none);
    std::queue<std::size_t> reached;
    for (reached.push(source); !reached.empty() && by_[sink] == none; reached.pop()) {
      for (const std::size_t each : from_[reached.front()]) {
        const std::size_t to = arcs_[each].to;
        if (arcs_[each].left == 0 || to == source || by_[to] != none) continue;
        by_[to] = each;
        reached.push(to);
      }
    }
    return by_[sink] != none;
  }

  std::vector<std::vector<std::size_t>> from_;  // arcs, by node
  std::vector<Arc> arcs_;                       // and the arc back of each behind it
  std::vector<std::int64_t> missing_;
  std::size_t extra_;
  std::vector<std::size_t> by_;
};

class Remainder {
 public:
  Remainder(std::span<const WeightedEdge> edges, const Groups& lefts, const Groups& rights, std::int64_t k)
      : edges_(edges.begin(), edges.end()), left_(lefts, k), right_(rights, k) {
    for (const WeightedEdge& each : edges_) {
      left_.add(each.left, each.weight);
      right_.add(each.right, each.weight);
    }
    time_ = std::max(left_.length(), right_.length());
  }

  std::int64_t time() const { return time_; }

  /// Takes off what is done at once, for as long as it may last.
  WeightedMatching take() {
    const std::vector<std::int32_t> matched = edges_at_once();
    WeightedMatching matching{duration_of(matched), {}};
    for (const std::int32_t each : matched) {
      WeightedEdge& edge = edges_[index(each)];
      edge.weight -= matching.duration;
      left_.add(edge.left, -matching.duration);
      right_.add(edge.right, -matching.duration);
      matching.parts.push_back({each, matching.duration});
    }
    std::ranges::sort(matching.parts, {},
                      [&](const EdgePart& part) { return edges_[index(part.edge)].left; });
    time_ -= matching.duration;
    return matching;
  }

 private:
  /// From the source through left groups and vertices, edges, right vertices and groups to the sink.
  std::vector<std::int32_t> edges_at_once() const {
    const std::size_t lefts = 2;
    const std::size_t rights = lefts + left_.vertices.size();
    const std::size_t left_groups = rights + right_.vertices.size();
    const std::size_t right_groups = left_groups + left_.of_groups.size();
    BoundedFlow flow(right_groups + right_.of_groups.size());
    for (std::size_t i = 0; i < left_.of_groups.size(); ++i)
      flow.add(0, left_groups + i, least_of_group(left_, i), left_.at_once);
    for (std::size_t i = 0; i < right_.of_groups.size(); ++i)
      flow.add(right_groups + i, 1, least_of_group(right_, i), right_.at_once);
    for (std::size_t i = 0; i < left_.vertices.size(); ++i)
      flow.add(left_groups + index(left_.groups[i]), lefts + i, left_.vertices[i] == time_ ? 1 : 0, 1);
    for (std::size_t i = 0; i < right_.vertices.size(); ++i)
      flow.add(rights + i, right_groups + index(right_.groups[i]), right_.vertices[i] == time_ ? 1 : 0, 1);
    std::vector<std::size_t> arcs(edges_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (edges_[i].weight > 0)
        arcs[i] = flow.add(lefts + index(edges_[i].left), rights + index(edges_[i].right), 0, 1);
    }
    flow.find();
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (edges_[i].weight > 0 && flow.through(arcs[i]) > 0) found.push_back(static_cast<std::int32_t>(i));
    }
    return found;
  }

  std::int64_t least_of_group(const Side& side, std::size_t group) const {
    return std::max<std::int64_t>(0, side.of_groups[group] - side.at_once * (time_ - 1));
  }

  /// Until an edge is done, or a vertex or group that has less than it could would be late.
  std::int64_t duration_of(const std::vector<std::int32_t>& matched) const {
    std::int64_t duration = time_;
    Side left(left_.groups, left_.at_once);
    Side right(right_.groups, right_.at_once);
    for (const std::int32_t each : matched) {
      const WeightedEdge& edge = edges_[index(each)];
      duration = std::min(duration, edge.weight);
      left.add(edge.left, 1);
      right.add(edge.right, 1);
    }
    return std::min({duration, in_time(left_, left), in_time(right_, right)});
  }

  /// So long may so few edges as there are at once stay as they are.
  std::int64_t in_time(const Side& all, const Side& at_once) const {
    std::int64_t duration = time_;
    for (std::size_t i = 0; i < all.vertices.size(); ++i) {
      if (at_once.vertices[i] == 0) duration = std::min(duration, time_ - all.vertices[i]);
    }
    for (std::size_t i = 0; i < all.of_groups.size(); ++i) {
      const std::int64_t idle = all.at_once - at_once.of_groups[i];
      if (idle > 0) duration = std::min(duration, (all.at_once * time_ - all.of_groups[i]) / idle);
    }
    return duration;
  }

  std::vector<WeightedEdge> edges_;
  Side left_;
  Side right_;
  std::int64_t time_ = 0;
};

}  // namespace

std::int64_t grouped_length(std::span<const WeightedEdge> edges, const Groups& lefts, const Groups& rights,
                            std::int64_t at_once) {
  return Remainder(edges, lefts, rights, at_once).time();
}

std::vector<WeightedMatching> grouped_matchings(std::span<const WeightedEdge> edges, const Groups& lefts,
                                                const Groups& rights, std::int64_t at_once) {
  Remainder left(edges, lefts, rights, at_once);
  std::vector<WeightedMatching> matchings;
  while (left.time() > 0) matchings.push_back(left.take());
  return matchings;
}

}  // namespace rota
