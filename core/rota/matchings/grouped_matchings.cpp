#include "rota/matchings/grouped_matchings.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <utility>

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

/// A flow in integers between bounds, from node 0 to node 1, that is mended when bounds have become narrower.
class BoundedFlow {
 public:
  explicit BoundedFlow(std::size_t nodes)
      : from_(nodes), back_(add(1, 0, std::numeric_limits<std::int64_t>::max() / 2)) {}

  /// An arc that nothing need pass.
  std::size_t add(std::size_t from, std::size_t to, std::int64_t most) {
    least_.push_back(0);
    from_[from].push_back(arcs_.size());
    arcs_.push_back({to, most});
    from_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
    return arcs_.size() - 2;
  }

  void set_least(std::size_t arc, std::int64_t least) {
    arcs_[arc ^ 1U].left -= least - least_[arc / 2];
    least_[arc / 2] = least;
  }

  /// Takes an arc away, of a way from node 0 to node 1, and its flow of all that way.
  void close(std::size_t arc, std::span<const std::size_t> way) {
    for (; arcs_[arc ^ 1U].left > 0; push(back_ ^ 1U)) {
      for (const std::size_t each : way) push(each ^ 1U);
    }
    arcs_[arc].left = 0;
  }

  /// Fulfils all lower bounds; and then as much as there can be.
  void mend() {
    for (std::size_t arc = 0; arc < arcs_.size(); arc += 2) {
      while (arcs_[arc + 1].left < 0 && add_unit(arc)) {
      }
    }
    while (add_unit(back_)) {
    }
  }

  bool passes(std::size_t arc) const { return arcs_[arc ^ 1U].left + least_[arc / 2] > 0; }

 private:
  struct Arc {
    std::size_t to;
    std::int64_t left;
  };

  void push(std::size_t arc) {
    --arcs_[arc].left;
    ++arcs_[arc ^ 1U].left;
  }

  /// Round a cycle, if there is one.
  bool add_unit(std::size_t arc) {
    const std::size_t begin = arcs_[arc].to;
    const std::size_t end = arcs_[arc ^ 1U].to;
    if (!find_path(begin, end, arc)) return false;
    for (std::size_t node = end; node != begin; node = arcs_[by_[node] ^ 1U].to) push(by_[node]);
    push(arc);
    return true;
  }

  /// Not by `without`, either way. Leaves in by_ the arc by which each node was reached.
  bool find_path(std::size_t begin, std::size_t end, std::size_t without) {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    by_.assign(from_.size(), none);
    std::queue<std::size_t> reached;
    for (reached.push(begin); !reached.empty() && by_[end] == none; reached.pop()) {
      for (const std::size_t each : from_[reached.front()]) {
        const std::size_t to = arcs_[each].to;
        if (arcs_[each].left <= 0 || to == begin || by_[to] != none || each / 2 == without / 2) continue;
        by_[to] = each;
        reached.push(to);
      }
    }
    return by_[end] != none;
  }

  std::vector<std::vector<std::size_t>> from_;  // arcs, by node
  std::vector<Arc> arcs_;                       // and the arc back of each behind it
  std::vector<std::int64_t> least_;             // of each such pair
  std::size_t back_;
  std::vector<std::size_t> by_;
};

struct Sides {
  Side left;
  Side right;
};

Sides sides_of(std::span<const WeightedEdge> edges, const Groups& lefts, const Groups& rights,
               std::int64_t k) {
  Sides sides{{lefts, k}, {rights, k}};
  for (const WeightedEdge& each : edges) {
    sides.left.add(each.left, each.weight);
    sides.right.add(each.right, each.weight);
  }
  return sides;
}

std::int64_t length_of(const Sides& sides) { return std::max(sides.left.length(), sides.right.length()); }

/// Of one side.
struct Arcs {
  std::vector<std::size_t> vertices;
  std::vector<std::size_t> of_groups;
};

class Remainder {
 public:
  Remainder(std::span<const WeightedEdge> edges, const Groups& lefts, const Groups& rights, std::int64_t k)
      : Remainder(edges, sides_of(edges, lefts, rights, k)) {}

  std::int64_t time() const { return time_; }

  /// Takes off what is done at once, for as long as it may last.
  WeightedMatching take() {
    set_least(left_, left_arcs_);
    set_least(right_, right_arcs_);
    flow_.mend();
    const std::vector<std::int32_t> matched = edges_at_once();
    WeightedMatching matching{duration_of(matched), {}};
    for (const std::int32_t each : matched) {
      WeightedEdge& edge = edges_[index(each)];
      edge.weight -= matching.duration;
      left_.add(edge.left, -matching.duration);
      right_.add(edge.right, -matching.duration);
      if (edge.weight == 0) flow_.close(arcs_[index(each)], way_of(each));
      matching.parts.push_back({each, matching.duration});
    }
    std::ranges::sort(matching.parts, {},
                      [&](const EdgePart& part) { return edges_[index(part.edge)].left; });
    time_ -= matching.duration;
    return matching;
  }

 private:
  Remainder(std::span<const WeightedEdge> edges, Sides sides)
      : edges_(edges.begin(), edges.end()),
        time_(length_of(sides)),
        left_(std::move(sides.left)),
        right_(std::move(sides.right)),
        flow_(nodes()) {
    add_arcs();
  }

  // From the source through left groups and vertices, edges, right vertices and groups to the sink.
  std::size_t nodes() const {
    return 2 + left_.vertices.size() + right_.vertices.size() + left_.of_groups.size() +
           right_.of_groups.size();
  }

  void add_arcs() {
    const std::size_t lefts = 2;
    const std::size_t rights = lefts + left_.vertices.size();
    const std::size_t left_groups = rights + right_.vertices.size();
    const std::size_t right_groups = left_groups + left_.of_groups.size();
    for (std::size_t i = 0; i < left_.of_groups.size(); ++i)
      left_arcs_.of_groups.push_back(flow_.add(0, left_groups + i, left_.at_once));
    for (std::size_t i = 0; i < right_.of_groups.size(); ++i)
      right_arcs_.of_groups.push_back(flow_.add(right_groups + i, 1, right_.at_once));
    for (std::size_t i = 0; i < left_.vertices.size(); ++i)
      left_arcs_.vertices.push_back(flow_.add(left_groups + index(left_.groups[i]), lefts + i, 1));
    for (std::size_t i = 0; i < right_.vertices.size(); ++i)
      right_arcs_.vertices.push_back(flow_.add(rights + i, right_groups + index(right_.groups[i]), 1));
    for (const WeightedEdge& each : edges_) {
      arcs_.push_back(
          flow_.add(lefts + index(each.left), rights + index(each.right), each.weight > 0 ? 1 : 0));
    }
  }

  std::array<std::size_t, 5> way_of(std::int32_t edge) const {
    const std::size_t left = index(edges_[index(edge)].left);
    const std::size_t right = index(edges_[index(edge)].right);
    return {left_arcs_.of_groups[index(left_.groups[left])], left_arcs_.vertices[left], arcs_[index(edge)],
            right_arcs_.vertices[right], right_arcs_.of_groups[index(right_.groups[right])]};
  }

  /// As many as could not be done later. These never fall: what is left shrinks no faster than the time that
  /// is left.
  void set_least(const Side& side, const Arcs& arcs) {
    for (std::size_t i = 0; i < side.of_groups.size(); ++i)
      flow_.set_least(arcs.of_groups[i], least_of_group(side, i));
    for (std::size_t i = 0; i < side.vertices.size(); ++i)
      flow_.set_least(arcs.vertices[i], side.vertices[i] == time_ ? 1 : 0);
  }

  std::vector<std::int32_t> edges_at_once() const {
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (edges_[i].weight > 0 && flow_.passes(arcs_[i])) found.push_back(static_cast<std::int32_t>(i));
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
  std::int64_t time_;
  Side left_;
  Side right_;
  BoundedFlow flow_;
  Arcs left_arcs_;
  Arcs right_arcs_;
  std::vector<std::size_t> arcs_;  // of edges
};

}  // namespace

std::int64_t grouped_length(std::span<const WeightedEdge> edges, const Groups& lefts, const Groups& rights,
                            std::int64_t at_once) {
  return length_of(sides_of(edges, lefts, rights, at_once));
}

std::vector<WeightedMatching> grouped_matchings(std::span<const WeightedEdge> edges, const Groups& lefts,
                                                const Groups& rights, std::int64_t at_once) {
  Remainder left(edges, lefts, rights, at_once);
  std::vector<WeightedMatching> matchings;
  while (left.time() > 0) matchings.push_back(left.take());
  return matchings;
}

}  // namespace rota
