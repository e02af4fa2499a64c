#include "rota/generators/circulant_broadcast.hpp"

#include <algorithm>

#include "rota/circulant.hpp"

namespace rota {

namespace {

using circulant::Skips;

/// Rank `rank` as seen from the root, which is rank 0 there, and back.
Rank from_root(const Problem& problem, Rank rank) {
  return rank >= problem.root ? rank - problem.root : rank + (problem.ranks - problem.root);
}
Rank to_rank(const Problem& problem, Rank seen) {
  return static_cast<Rank>((std::int64_t{seen} + problem.root) % problem.ranks);
}

/// What one rank needs in order to name its step of any round in O(1).
struct Position {
  Problem problem;
  Skips skips;
  Rank rank;  // from the root
  circulant::Schedule receive;
  circulant::Schedule send;
  Round virtual_rounds;  // the paper's x: rounds before the first that communicates, so that the last one
                         // ends a phase
};

/// The block that entry `entry` of a schedule stands for in phase `phase`; blocks before 0 do not exist, and
/// the last block stands for all after it. Exactly one of the indices that a rank receives is n - 1 or more,
/// so that no rank receives the last block twice.
Blocks block_of(const Position& at, int entry, Round phase) {
  const BlockIndex index = entry + phase * at.skips.q - at.virtual_rounds;
  if (index < 0) return {};
  return Block{at.problem.root, std::min(index, at.problem.blocks - 1)};
}

Step step(const Position& at, Round round) {
  const Round i = round + at.virtual_rounds;
  const int k = static_cast<int>(i % at.skips.q);
  const Round phase = i / at.skips.q;
  const Rank to = at.skips.to(at.rank, k);
  const Rank from = at.skips.from(at.rank, k);

  Step result;
  // The root has every block: nothing is sent to it.
  if (to != 0) result.send = {to_rank(at.problem, to), block_of(at, at.send[k], phase)};
  if (at.rank != 0) result.receive = {to_rank(at.problem, from), block_of(at, at.receive[k], phase)};
  return result;
}

}  // namespace

Schedule circulant_broadcast(const Problem& problem) {
  require_valid(problem);
  const Skips skips = circulant::skips(problem.ranks);
  if (skips.q == 0) return nothing(problem);
  const Round virtual_rounds = (skips.q - (problem.blocks - 1) % skips.q) % skips.q;
  return {problem, problem.blocks - 1 + skips.q, [=](Rank rank) -> RankSchedule {
            const Rank r = from_root(problem, rank);
            const Position at{problem,
                              skips,
                              r,
                              circulant::receive_schedule(skips, r),
                              circulant::send_schedule(skips, r),
                              virtual_rounds};
            return [at](Round round) { return step(at, round); };
          }};
}

Pipeline circulant_broadcast_pipeline(const Load& load) {
  return even_pipeline(1, ceil_log2(load.ranks) - 1, load.bytes);
}

}  // namespace rota
