#include "rota/model/bound.hpp"

#include <algorithm>
#include <bit>

#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

int ceil_log2(Rank ranks) { return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks) - 1U)); }

namespace {

std::int64_t port_blocks_bound(const Problem& problem) {
  const auto owners = static_cast<std::int64_t>(owners_of(problem).size());
  const bool all_own = owners == problem.ranks;
  switch (problem.collective) {
    case Collective::allgather:
    case Collective::reduce_scatter:
      return problem.blocks * (all_own ? owners - 1 : owners);
    case Collective::allreduce:
      if (all_own) return 2 * problem.blocks * (problem.ranks - 1);
      return (2 * owners * problem.blocks * (problem.ranks - 1) + problem.ranks - 1) / problem.ranks;
    default:
      return problem.blocks;
  }
}

/// From `senders` to `receivers`: the rounds in which a sender's data comes to all receivers, and that of all
/// senders that have any to one.
Effort one_way_bound(const Group& senders, const Group& receivers, const std::vector<BlockIndex>& counts) {
  Effort least;
  Rank owners = 0;
  for (Rank rank = senders.first; rank < senders.end; ++rank) {
    const BlockIndex count = counts[static_cast<std::size_t>(rank)];
    least.port_blocks += count;
    if (count > 0) ++owners;
  }
  if (owners > 0) least.rounds = ceil_log2(std::max(owners, receivers.size()) + 1);
  return least;
}

Effort inter_allgather_bound(const Problem& problem) {
  const auto [first, second] = groups_of(problem);
  const std::vector<BlockIndex> counts = block_counts(problem);
  const Effort there = one_way_bound(first, second, counts);
  const Effort back = one_way_bound(second, first, counts);
  return {std::max(there.rounds, back.rounds), std::max(there.port_blocks, back.port_blocks)};
}

Effort inter_lower_bound(const Problem& problem) {
  switch (problem.collective) {
    case Collective::inter_allgather:
      return inter_allgather_bound(problem);
    case Collective::inter_allreduce: {
      const auto [first, second] = groups_of(problem);
      // Each of the (p + q) n blocks takes p + q - 1 transfers; p + q ports share them.
      return {ceil_log2(std::max(first.size(), second.size()) + 1), (problem.ranks - 1) * problem.blocks};
    }
    default:
      return {problem.blocks - 1 + ceil_log2(other_group(problem, problem.root).size() + 1), problem.blocks};
  }
}

std::vector<Rank> owners_with_data(const Problem& problem) {
  std::vector<Rank> owners = owners_of(problem);
  if (!problem.shares.empty())
    std::erase_if(owners, [&](Rank rank) { return problem.shares[static_cast<std::size_t>(rank)] == 0; });
  return owners;
}

}  // namespace

Effort lower_bound(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return {};
  if (problem.collective == Collective::all_to_many) {
    const Rank degree = problem.parcels->pattern().degree();
    return {degree, degree};
  }
  // Each block is sent once at least; how often a port must be used, a plan's linear program knows.
  if (problem.collective == Collective::series) return {1, 1};
  if (is_inter_group(problem.collective)) return inter_lower_bound(problem);
  return {problem.blocks - 1 + ceil_log2(problem.ranks), port_blocks_bound(problem)};
}

Placement placement_of(const Problem& problem) {
  if (!problem.hosts) return {};
  std::vector<Rank> owners(problem.hosts->ranks.size(), 0);
  for (const Rank owner : owners_with_data(problem))
    ++owners[static_cast<std::size_t>(problem.hosts->of_rank[static_cast<std::size_t>(owner)])];
  const Hosts& hosts = *problem.hosts;
  const bool is_scan = problem.collective == Collective::scan || problem.collective == Collective::exscan;
  return {.hosts = hosts.count(),
          .most_ranks = hosts.most_ranks(),
          .most_owners = std::ranges::max(owners),
          .links = std::min(hosts.links, hosts.most_ranks()),
          .lanes = hosts.lanes(),
          .chain = is_scan ? chain_over_links(hosts) : ChainOverLinks{}};
}

namespace {

/// Through all links of a host that has the most to carry, or through a rank's port; of scans, through each
/// link.
double place_bytes_bound(const Load& load) {
  const bool share_hosts = load.placement.hosts > 0;
  const Rank places = share_hosts ? load.placement.hosts : load.ranks;
  if (places == 1) return 0;
  if (share_hosts && is_inter_group(load.collective)) return load.placement.link_bytes;
  switch (load.collective) {
    case Collective::allgather:
    case Collective::reduce_scatter:
      return load.bytes - (share_hosts ? load.bytes / places : load.smallest_share_bytes);
    case Collective::allreduce:
    case Collective::inter_allreduce:
      return 2 * load.bytes * (places - 1) / places;
    case Collective::scan:
    case Collective::exscan:
      return load.bytes * (share_hosts ? load.placement.chain.of_a_link : 1);
    default:
      return load.bytes;
  }
}

/// Over how many of a host's links that must go, at the best. What all hosts send or receive as a whole, the
/// one with the fewest ranks does too.
Rank ports_of_a_place(const Load& load) {
  switch (load.collective) {
    case Collective::broadcast:
    case Collective::reduce:
      return load.placement.lanes;
    case Collective::scan:
    case Collective::exscan:
      return 1;
    default:
      return load.placement.links;
  }
}

}  // namespace

bool is_shared_out(Collective collective) {
  return collective == Collective::allgather || collective == Collective::reduce_scatter ||
         collective == Collective::allreduce;
}

double port_bytes_bound(const Load& load) { return place_bytes_bound(load) / ports_of_a_place(load); }

namespace {

std::int64_t port_blocks(const RankSchedule& steps, Round rounds) {
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (Round round = 0; round < rounds; ++round) {
    const Step step = steps(round);
    sent += static_cast<std::int64_t>(step.send.blocks.size());
    received += static_cast<std::int64_t>(step.receive.blocks.size());
  }
  return std::max(sent, received);
}

}  // namespace

Effort effort(const Schedule& schedule) {
  Effort total{schedule.rounds, 0};
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    total.port_blocks = std::max(total.port_blocks, port_blocks(schedule.of_rank(rank), schedule.rounds));
  }
  return total;
}

}  // namespace rota
