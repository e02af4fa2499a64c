#include "rota/generators/classic/binomial.hpp"

#include "rota/generators/counting.hpp"

namespace rota {

namespace {

Step step(const Problem& problem, int q, Rank rank, Round round) {
  const CountedFrom tree{problem.ranks, problem.root};
  const std::int64_t position = tree.position_of(rank);
  const std::int64_t distance = std::int64_t{1} << (q - 1 - static_cast<int>(round % q));
  const Block block{problem.root, round / q};
  Step result;
  if (position % (2 * distance) == 0 && position + distance < problem.ranks) {
    result.send = {tree.rank_at(static_cast<Rank>(position + distance)), block};
  }
  if (position % (2 * distance) == distance) {
    result.receive = {tree.rank_at(static_cast<Rank>(position - distance)), block};
  }
  return result;
}

}  // namespace

Schedule binomial_broadcast(const Problem& problem) {
  require_valid(problem);
  const int q = ceil_log2(problem.ranks);
  return {problem, problem.blocks * q, [=](Rank rank) -> RankSchedule {
            return [=](Round round) { return step(problem, q, rank, round); };
          }};
}

Pipeline binomial_pipeline(const Load& load) { return even_pipeline(ceil_log2(load.ranks), 0, load.bytes); }

}  // namespace rota
