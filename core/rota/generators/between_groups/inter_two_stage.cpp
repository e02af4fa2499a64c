#include "rota/generators/between_groups/inter_two_stage.hpp"

#include "rota/generators/between_groups/inter_join.hpp"
#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/generators/circulant/circulant_broadcast.hpp"
#include "rota/generators/classic/scatter_allgather.hpp"
#include "rota/schedule/groups.hpp"

namespace rota {

namespace {

/// A sender and those who listen to it.
Rank ranks_of_a_broadcast(Rank senders, Rank receivers) { return 1 + (receivers - 1) / senders + 1; }

Schedule broadcast_among(Rank size) {
  const Problem problem{Collective::broadcast, size};
  return size == 2 ? circulant_broadcast(problem) : scatter_allgather(problem);
}

}  // namespace

Schedule inter_two_stage(const Problem& problem) {
  require_valid(problem);
  const Group senders = senders_of(problem);
  const Rank listening = ranks_of_a_broadcast(senders.size(), problem.ranks - senders.size());
  Problem in_parts = problem;
  in_parts.blocks = listening == 2 ? 1 : listening;
  return inter_in_teams(in_parts, broadcast_among, 1);
}

Pipeline inter_two_stage_pipeline(const Load& load) {
  const GroupLoad& senders = load.groups[load.groups[1].bytes > 0 ? 1 : 0];
  const Rank listening = ranks_of_a_broadcast(senders.ranks, load.ranks - senders.ranks);
  const double halves = listening == 2 ? 1 : 2;
  const double passed = listening == 2 ? 1 : 2 * (listening - 1.0) / listening;
  const double in_team = ceil_log2(senders.ranks);
  const double mean = senders.bytes / senders.ranks;
  const double beyond_mean = in_team > 0 ? (in_team - 1) * (senders.largest_share_bytes - mean) : 0;
  return {0, halves * ceil_log2(listening) + in_team,
          passed * senders.largest_share_bytes + senders.bytes - mean + beyond_mean, 0, 0};
}

}  // namespace rota
