#include "rota/generators/classic/ring.hpp"

#include "rota/generators/counting.hpp"

namespace rota {

namespace {

Blocks data_of(const Problem& problem, Rank owner) {
  if (!owns(problem, owner)) return {};
  return Block{owner, 0};
}

Step step(const Problem& problem, Rank rank, Round round) {
  const CountedFrom ring{problem.ranks, rank};
  const auto below = [&](Round distance) {
    return ring.rank_at(static_cast<Rank>((problem.ranks - distance) % problem.ranks));
  };
  Step result;
  result.send = {ring.rank_at(1), data_of(problem, below(round))};
  result.receive = {below(1), data_of(problem, below(round + 1))};
  return result;
}

}  // namespace

Schedule ring_allgather(const Problem& problem) {
  require_valid(problem);
  Problem whole = problem;
  whole.blocks = 1;
  // Peers and owners are counted from the rank: if all have data, all ranks do the same.
  const bool all_have = whole.owners.empty() || whole.owners.size() == static_cast<std::size_t>(whole.ranks);
  return {
      whole,
      problem.ranks - 1,
      [whole](Rank rank) -> RankSchedule { return [=](Round round) { return step(whole, rank, round); }; },
      {},
      all_have ? Symmetry::rotation : Symmetry::none};
}

Schedule ring_allreduce(const Problem& problem) {
  require_valid(problem);
  const Schedule gather = ring_allgather({Collective::allgather, problem.ranks});
  Problem of_parts = problem;
  of_parts.blocks = 1;
  of_parts.owners.clear();
  return then(of_parts, reversed(gather), gather);
}

Pipeline ring_allgather_pipeline(const Load& load) {
  const double rounds = load.ranks - 1;
  return {0, rounds, rounds * load.largest_share_bytes, 0, 0};
}

Pipeline ring_allreduce_pipeline(const Load& load) {
  const double rounds = 2 * (load.ranks - 1.0);
  return {0, rounds, rounds * load.bytes / load.ranks, 0, 0.5};
}

}  // namespace rota
