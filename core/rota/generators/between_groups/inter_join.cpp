#include "rota/generators/between_groups/inter_join.hpp"

#include <memory>
#include <stdexcept>

#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/generators/circulant/circulant_broadcast.hpp"
#include "rota/schedule/groups.hpp"

namespace rota {

namespace {

struct Plan {
  Problem problem;
  Group senders;
  Group receivers;
  std::vector<BlockIndex> counts;

  Rank sender(Rank number) const { return senders.first + number; }
  BlockIndex count(Rank number) const { return counts[static_cast<std::size_t>(sender(number))]; }
};

using SharedPlan = std::shared_ptr<const Plan>;

/// The sender of that number and every p-th receiver from that number on.
std::vector<Rank> listeners(const Plan& plan, Rank number) {
  std::vector<Rank> ranks{plan.sender(number)};
  for (Rank i = number; i < plan.receivers.size(); i += plan.senders.size())
    ranks.push_back(plan.receivers.first + i);
  return ranks;
}

Schedule broadcasts(const SharedPlan& plan, const TeamBroadcast& broadcast) {
  std::vector<Embedded> all;
  for (Rank number = 0; number < plan->senders.size(); ++number) {
    std::vector<Rank> ranks = listeners(*plan, number);
    if (plan->count(number) == 0 || ranks.size() == 1) continue;
    const auto size = static_cast<Rank>(ranks.size());
    const Schedule among = broadcast(size);
    all.push_back({among, std::move(ranks), [plan, number, pieces = among.problem.blocks](Block block) {
                     return part_of(plan->sender(number), plan->count(number), pieces, block.index);
                   }});
  }
  return side_by_side(plan->problem, std::move(all));
}

/// The team that begins with the receiver of that number: position i has the data of sender i.
std::vector<Rank> team(const Plan& plan, Rank begin) {
  std::vector<Rank> ranks;
  ranks.reserve(static_cast<std::size_t>(plan.senders.size()));
  for (Rank i = 0; i < plan.senders.size(); ++i)
    ranks.push_back(begin + i < plan.receivers.size() ? plan.receivers.first + begin + i : plan.sender(i));
  return ranks;
}

/// Each owner's data in n blocks.
Schedule gathers(const SharedPlan& plan, BlockIndex n) {
  const Rank p = plan->senders.size();
  const std::vector<BlockIndex> of_senders(plan->counts.begin() + plan->senders.first,
                                           plan->counts.begin() + plan->senders.end);
  const Problem in_team{Collective::allgather, p, 0, n, owners_among(of_senders)};
  const Schedule gather = circulant_allgather(in_team);
  std::vector<Embedded> all;
  for (Rank begin = 0; begin < plan->receivers.size(); begin += p) {
    all.push_back({gather, team(*plan, begin), [plan, n](Block block) {
                     return part_of(plan->sender(block.owner), plan->count(block.owner), n, block.index);
                   }});
  }
  return side_by_side(plan->problem, std::move(all));
}

}  // namespace

Schedule inter_in_teams(const Problem& problem, const TeamBroadcast& broadcast, BlockIndex gathered_blocks) {
  require_valid(problem);
  if (!is_half_duplex(problem))
    throw std::invalid_argument("both groups have data; teams are for data of one group only");
  const Group senders = senders_of(problem);
  const auto plan = std::make_shared<const Plan>(
      Plan{problem, senders, other_group(problem, senders.first), block_counts(problem)});
  const std::array<bool, 2> has_data = groups_with_data(problem);
  if (!has_data[0] && !has_data[1]) return nothing(problem);
  return then(problem, broadcasts(plan, broadcast), gathers(plan, gathered_blocks));
}

Schedule inter_join(const Problem& problem) {
  require_valid(problem);
  const BlockIndex n = (problem.blocks - 1) / senders_of(problem).size() + 1;
  const auto pipelined = [n](Rank size) {
    // To one receiver, cutting gains nothing.
    return circulant_broadcast({Collective::broadcast, size, 0, size == 2 ? 1 : n});
  };
  return inter_in_teams(problem, pipelined, problem.blocks);
}

Pipeline inter_join_pipeline(const Load& load) {
  const GroupLoad& senders = load.groups[load.groups[1].bytes > 0 ? 1 : 0];
  const Rank receivers = load.ranks - senders.ranks;
  const double p = senders.ranks;
  const double in_broadcast = ceil_log2(1 + (receivers - 1) / senders.ranks + 1);
  const double in_team = ceil_log2(senders.ranks);
  const double mean = senders.bytes / p;
  const double largest = senders.largest_share_bytes;
  return {1 + 1 / p, in_broadcast - 1 + in_team - 1, largest + senders.bytes - mean,
          (in_broadcast - 1) * largest + (in_team > 0 ? in_team - 1 : 0) * (largest - mean), 0};
}

}  // namespace rota
