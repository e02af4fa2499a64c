#include "preparation_timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "coloring_straightforward.hpp"
#include "measured.hpp"
#include "rota/circulant/circulant.hpp"
#include "rota/trees/two_trees.hpp"
#include "schedules_straightforward.hpp"

namespace rota::bench {
namespace {

/// Ranks measured one by one, and about how many a computation for all of them handles: enough to be timed.
constexpr Rank many = 20000;

std::int64_t color_all(Rank nodes) {
  const straightforward::ColoredTrees trees = straightforward::colored_trees(nodes);
  return trees.trees[0].color.back() + trees.trees[1].color.back();
}

std::int64_t schedule_all(Rank p) {
  const straightforward::Schedule schedule(p);
  std::int64_t sum = 0;
  for (Rank r = 0; r < p; ++r) {
    const straightforward::Schedules both = schedule.of(r);
    sum += both.receive[0] + both.send[0];
  }
  return sum;
}

std::int64_t place_one(Rank nodes, Rank node) {
  const two_trees::Pair trees{.nodes = nodes};
  const two_trees::Place first = place(trees, two_trees::Which::first, node);
  const two_trees::Place second = place(trees, two_trees::Which::second, node);
  return first.parent + first.lower_child + first.higher_child + first.color + second.parent +
         second.lower_child + second.higher_child + second.color;
}

std::int64_t schedule_one(Rank p, Rank r) {
  const circulant::Skips skips = circulant::skips(p);
  return receive_schedule(skips, r)[0] + send_schedule(skips, r)[0];
}

/// The mean of as many repetitions as handle many ranks in all.
template <class Compute>
double seconds_for_all(Rank p, const Compute& compute) {
  const Rank times = std::max<Rank>(1, many / p);
  const Measured all = measured([&] {
    std::int64_t sum = 0;
    for (Rank i = 0; i < times; ++i) sum += compute();
    return sum;
  });
  return all.seconds / times;
}

/// The mean over many ranks of 0 .. count - 1, spread over all of them.
template <class Compute>
double seconds_for_one(Rank count, const Compute& compute) {
  const std::int64_t stride = std::int64_t{count} * 5 / 8 + 1;
  const Measured all = measured([&] {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < many; ++i) sum += compute(static_cast<Rank>(i * stride % count));
    return sum;
  });
  return all.seconds / many;
}

}  // namespace

PreparationTimes time_preparation(Rank p) {
  if (p < 2) throw std::invalid_argument(std::to_string(p) + " ranks need no trees: give at least 2");
  const Rank nodes = p - 1;
  if (!is_properly_colored(straightforward::colored_trees(nodes)))
    throw std::logic_error("the linear colouring for " + std::to_string(p) + " ranks is wrong");
  return {.ranks = p,
          .colored_trees_s = seconds_for_all(p, [&] { return color_all(nodes); }),
          .circulant_schedules_s = seconds_for_all(p, [&] { return schedule_all(p); }),
          .two_tree_rank_s = seconds_for_one(nodes, [&](Rank node) { return place_one(nodes, node); }),
          .circulant_rank_s = seconds_for_one(p, [&](Rank r) { return schedule_one(p, r); })};
}

}  // namespace rota::bench
