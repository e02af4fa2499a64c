#include "rota/generators/classic/chain.hpp"

#include "rota/generators/counting.hpp"

namespace rota {

Schedule chain_broadcast(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return nothing(problem);
  return {problem, problem.blocks + problem.ranks - 2, [problem](Rank rank) -> RankSchedule {
            const CountedFrom chain{problem.ranks, problem.root};
            const Rank position = chain.position_of(rank);
            return [=](Round round) {
              Step step;
              if (position > 0) {
                step.receive = {chain.rank_at(position - 1),
                                block_if_any(problem, problem.root, round - (position - 1))};
              }
              if (position < problem.ranks - 1) {
                step.send = {chain.rank_at(position + 1),
                             block_if_any(problem, problem.root, round - position)};
              }
              return step;
            };
          }};
}

namespace {

/// The way round through all ranks that keeps the order: root, root + 1 .. p - 1, root - 1 .. 0, and the root
/// again.
struct WayHome {
  Rank ranks;
  Rank root;

  Rank position_of(Rank rank) const { return rank >= root ? rank - root : ranks - 1 - rank; }
  Rank rank_at(Rank position) const {
    if (position == ranks) return root;
    return position < ranks - root ? root + position : ranks - 1 - position;
  }
};

Step step_of_root(const Problem& problem, const WayHome& way, Round round) {
  Step step;
  step.send = {way.rank_at(1), block_if_any(problem, problem.root, round)};
  step.receive = {way.rank_at(problem.ranks - 1),
                  block_if_any(problem, problem.root, round - (problem.ranks - 1))};
  return step;
}

/// A rank above the root receives the sum from the root up to itself, one below it the sum from itself up.
Step step_on_the_way(const Problem& problem, const WayHome& way, Rank rank, Round round) {
  const Rank position = way.position_of(rank);
  Step step;
  step.receive = {way.rank_at(position - 1), block_if_any(problem, problem.root, round - (position - 1))};
  step.on_receive = rank > problem.root ? OnReceive::combine_left : OnReceive::combine_right;
  step.send = {way.rank_at(position + 1), block_if_any(problem, problem.root, round - position)};
  return step;
}

Schedule reduce_on_the_way_home(const Problem& problem) {
  return {problem, problem.blocks + problem.ranks - 1, [problem](Rank rank) -> RankSchedule {
            const WayHome way{problem.ranks, problem.root};
            return [=](Round round) {
              return rank == problem.root ? step_of_root(problem, way, round)
                                          : step_on_the_way(problem, way, rank, round);
            };
          }};
}

}  // namespace

Schedule chain_reduce(const Problem& problem) {
  require_valid(problem);
  const bool between = problem.root > 0 && problem.root < problem.ranks - 1;
  if (problem.in_order && between) return reduce_on_the_way_home(problem);
  Problem forwards = problem;
  forwards.collective = Collective::broadcast;
  return reversed(chain_broadcast(forwards));
}

Pipeline chain_pipeline(const Load& load) { return even_pipeline(1, load.ranks - 2, load.bytes); }

}  // namespace rota
