#include "rota/generators/classic/recursive_doubling_scan.hpp"

#include <algorithm>

namespace rota {

namespace {

/// What becomes of the block that round `round` brings from distance `distance` below.
std::vector<Combination> combinations(const Problem& problem, Rank rank, std::int64_t distance) {
  const Block received{static_cast<Rank>(rank - distance), 0};
  const bool is_exscan = problem.collective == Collective::exscan;
  const bool sends_again = rank + 2 * distance < problem.ranks;
  std::vector<Combination> result;
  if (is_exscan && distance > 1) result.push_back({received, {rank - 1, 0}});
  if (!is_exscan || sends_again) result.push_back({received, {rank, 0}});
  return result;
}

Step step(const Problem& problem, Rank rank, Round round) {
  const std::int64_t distance = std::int64_t{1} << round;
  Step result;
  if (rank + distance < problem.ranks) {
    result.send = {static_cast<Rank>(rank + distance), Block{rank, 0}};
  }
  if (rank >= distance) {
    const auto from = static_cast<Rank>(rank - distance);
    result.receive = {from, Block{from, 0}};
    result.combinations = combinations(problem, rank, distance);
  }
  return result;
}

}  // namespace

Schedule recursive_doubling_scan(const Problem& problem) {
  require_valid(problem);
  Problem whole = problem;
  whole.blocks = 1;
  return {whole, ceil_log2(problem.ranks), [whole](Rank rank) -> RankSchedule {
            return [=](Round round) { return step(whole, rank, round); };
          }};
}

Pipeline recursive_doubling_scan_pipeline(const Load& load) {
  const double q = ceil_log2(load.ranks);
  if (q == 0) return {0, 0, 0, 0, 0};
  // In an exscan no rank both sends and receives in the last round, and the first one stores what it brings.
  const double combined = load.collective == Collective::scan ? q : std::max(0.0, 2 * q - 3);
  return {0, q, q * load.bytes, 0, combined / q};
}

}  // namespace rota
