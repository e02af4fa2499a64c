#include "rota/generators/circulant/circulant_allgather.hpp"

#include <algorithm>
#include <memory>

#include "rota/circulant/circulant_all_ranks.hpp"

namespace rota {

namespace {

using circulant::AllSchedules;

/// What all ranks need to name their steps.
struct Plan {
  std::vector<Rank> owners;
  Rank ranks;
  BlockIndex last_block;
  Round virtual_rounds;  // rounds before the first that communicates, so that the last one ends a phase
  AllSchedules schedules;
};

/// The blocks, one of each owner but `holder`, that entry (rank - owner) of a schedule's row stands for in
/// phase `phase`; blocks before 0 do not exist, and the last block stands for all after it.
Blocks blocks_of(const Plan& plan, AllSchedules::Row row, Rank rank, Rank holder, Round phase) {
  const BlockIndex offset = phase * plan.schedules.skips().q - plan.virtual_rounds;
  std::vector<Block> blocks;
  for (const Rank owner : plan.owners) {
    if (owner == holder) continue;
    const Rank seen = rank >= owner ? rank - owner : rank + (plan.ranks - owner);
    const BlockIndex index = row[static_cast<std::size_t>(seen)] + offset;
    if (index >= 0) blocks.push_back({owner, std::min(index, plan.last_block)});
  }
  return Blocks(std::move(blocks));
}

Step step(const Plan& plan, Rank rank, Round round) {
  const Round i = round + plan.virtual_rounds;
  const circulant::Skips& skips = plan.schedules.skips();
  const int k = static_cast<int>(i % skips.q);
  const Round phase = i / skips.q;
  const Rank to = skips.to(rank, k);
  Step result;
  result.send = {to, blocks_of(plan, plan.schedules.send(k), rank, to, phase)};
  result.receive = {skips.from(rank, k), blocks_of(plan, plan.schedules.receive(k), rank, rank, phase)};
  return result;
}

/// A step asks for its rank only as rank - owner, for the entry of a schedule, and as rank + skip and
/// rank - skip, for its peers: all of these are the same when rank, owners and peers are all r further on
/// (mod p). So it rotates, if every rank is an owner.
Symmetry symmetry_of(const Plan& plan) {
  return plan.owners.size() == static_cast<std::size_t>(plan.ranks) ? Symmetry::rotation : Symmetry::none;
}

}  // namespace

Schedule circulant_allgather(const Problem& problem) {
  require_valid(problem);
  const circulant::Skips skips = circulant::skips(problem.ranks);
  if (skips.q == 0) return nothing(problem);
  const Round virtual_rounds = (skips.q - (problem.blocks - 1) % skips.q) % skips.q;
  const auto plan = std::make_shared<const Plan>(
      Plan{owners_of(problem), problem.ranks, problem.blocks - 1, virtual_rounds, AllSchedules(skips)});
  return {problem,
          problem.blocks - 1 + skips.q,
          [plan](Rank rank) -> RankSchedule {
            return [plan, rank](Round round) { return step(*plan, rank, round); };
          },
          {},
          symmetry_of(*plan)};
}

Pipeline circulant_allgather_pipeline(const Load& load) {
  const double passed_on = ceil_log2(load.ranks) - 1;
  const double beyond_mean = load.largest_share_bytes - load.bytes / load.ranks;
  return {1, passed_on, port_bytes_bound(load), passed_on * beyond_mean, 0};
}

}  // namespace rota
