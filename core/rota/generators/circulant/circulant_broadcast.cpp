#include "rota/generators/circulant/circulant_broadcast.hpp"

#include <algorithm>
#include <memory>

#include "rota/circulant/circulant.hpp"

namespace rota {

namespace {

using circulant::Skips;

/// What all ranks need.
struct Plan {
  Problem problem;
  Skips skips;
  Round virtual_rounds;  // the paper's x: rounds before the first that communicates, so that the last one
                         // ends a phase
};

/// Rank `rank` as seen from the root, which is rank 0 there, and back.
Rank from_root(const Problem& problem, Rank rank) {
  return rank >= problem.root ? rank - problem.root : rank + (problem.ranks - problem.root);
}
Rank to_rank(const Problem& problem, Rank seen) {
  const Rank before_wrap = problem.ranks - problem.root;
  return seen < before_wrap ? seen + problem.root : seen - before_wrap;
}

/// What one rank needs in order to name its step of any round in O(1). What all ranks need is shared: a
/// million Positions lie in memory together when a schedule is verified or simulated.
struct Position {
  std::shared_ptr<const Plan> plan;
  Rank rank;  // from the root
  circulant::Schedule receive;
  circulant::Schedule send;
};

/// The block that entry `entry` of a schedule stands for in phase `phase`; blocks before 0 do not exist, and
/// the last block stands for all after it. Exactly one of the indices that a rank receives is n - 1 or more,
/// so that no rank receives the last block twice.
Blocks block_of(const Plan& plan, int entry, Round phase) {
  const BlockIndex index = entry + phase * plan.skips.q - plan.virtual_rounds;
  if (index < 0) return {};
  return Block{plan.problem.root, std::min(index, plan.problem.blocks - 1)};
}

Step step(const Position& at, Round round) {
  const Plan& plan = *at.plan;
  const Round i = round + plan.virtual_rounds;
  const int k = static_cast<int>(i % plan.skips.q);
  const Round phase = i / plan.skips.q;
  const Rank to = plan.skips.to(at.rank, k);
  const Rank from = plan.skips.from(at.rank, k);

  Step result;
  // The root has every block: nothing is sent to it.
  if (to != 0) result.send = {to_rank(plan.problem, to), block_of(plan, at.send[k], phase)};
  if (at.rank != 0) result.receive = {to_rank(plan.problem, from), block_of(plan, at.receive[k], phase)};
  return result;
}

}  // namespace

Schedule circulant_broadcast(const Problem& problem) {
  require_valid(problem);
  const Skips skips = circulant::skips(problem.ranks);
  if (skips.q == 0) return nothing(problem);
  const Round virtual_rounds = (skips.q - (problem.blocks - 1) % skips.q) % skips.q;
  const auto plan = std::make_shared<const Plan>(Plan{problem, skips, virtual_rounds});
  return {problem, problem.blocks - 1 + skips.q, [plan](Rank rank) -> RankSchedule {
            const Rank r = from_root(plan->problem, rank);
            const Position at{plan, r, circulant::receive_schedule(plan->skips, r),
                              circulant::send_schedule(plan->skips, r)};
            return [at](Round round) { return step(at, round); };
          }};
}

Pipeline circulant_broadcast_pipeline(const Load& load) {
  return even_pipeline(1, ceil_log2(load.ranks) - 1, load.bytes);
}

}  // namespace rota
