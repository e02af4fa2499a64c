#include "rota/generators/hierarchical/hierarchical.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/generators/circulant/circulant_broadcast.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

/// One host's part.
struct Member {
  std::vector<Rank> ranks;   // its leader first
  std::vector<Rank> owners;  // of its ranks, those that own data

  /// The leader is an owner, if there is any.
  bool only_leader_owns() const { return owners.size() <= 1; }
};

struct Plan {
  Problem problem;
  std::vector<Member> hosts;
  std::size_t most_owners = 1;  // on one host

  BlockIndex blocks_of_a_host() const { return static_cast<BlockIndex>(most_owners) * problem.blocks; }

  /// Block k of a host, if it has so many.
  Blocks of_host(std::size_t host, BlockIndex k) const {
    const std::vector<Rank>& owners = hosts[host].owners;
    const auto count = static_cast<BlockIndex>(owners.size());
    if (k >= count * problem.blocks) return {};
    return Block{owners[static_cast<std::size_t>(k % count)], k / count};
  }

  /// Block k of every host whose data comes to the ranks of this one through its leader.
  Blocks through_leader(std::size_t host, BlockIndex k) const {
    std::vector<Block> blocks;
    for (std::size_t other = 0; other < hosts.size(); ++other) {
      if (other == host && !hosts[host].only_leader_owns()) continue;
      const Blocks found = of_host(other, k);
      blocks.insert(blocks.end(), found.begin(), found.end());
    }
    std::ranges::sort(blocks);
    return blocks.size() == 1 ? Blocks(blocks[0]) : Blocks(std::move(blocks));
  }
};

Plan plan_of(const Problem& problem) {
  require_valid(problem);
  if (!problem.hosts) throw std::invalid_argument("no hosts; say which ranks share one");
  Plan plan{problem, std::vector<Member>(problem.hosts->ranks.size())};
  for (const Rank owner : owners_of(problem)) {
    const Rank host = problem.hosts->of_rank[static_cast<std::size_t>(owner)];
    plan.hosts[static_cast<std::size_t>(host)].owners.push_back(owner);
  }
  for (std::size_t host = 0; host < plan.hosts.size(); ++host) {
    Member& member = plan.hosts[host];
    member.ranks = problem.hosts->ranks[host];
    plan.most_owners = std::max(plan.most_owners, member.owners.size());
    if (member.owners.empty()) continue;
    const auto leader = std::ranges::find(member.ranks, member.owners[0]);
    std::rotate(member.ranks.begin(), leader, leader + 1);
  }
  return plan;
}

using SharedPlan = std::shared_ptr<const Plan>;

/// The owners of a host tell each other, and its other ranks, what they have.
Embedded gathering(const SharedPlan& plan, std::size_t host) {
  const Member& member = plan->hosts[host];
  Problem within{Collective::allgather, static_cast<Rank>(member.ranks.size()), 0, plan->problem.blocks};
  for (std::size_t i = 0; i < member.ranks.size(); ++i) {
    if (std::ranges::binary_search(member.owners, member.ranks[i]))
      within.owners.push_back(static_cast<Rank>(i));
  }
  return {member.only_leader_owns() ? nothing(within) : circulant_allgather(within), member.ranks,
          [plan, host](Block block) {
            const std::vector<Rank>& ranks = plan->hosts[host].ranks;
            return Blocks(Block{ranks[static_cast<std::size_t>(block.owner)], block.index});
          }};
}

/// The leader passes on what comes from other hosts.
Embedded passing_on(const SharedPlan& plan, std::size_t host) {
  const std::vector<Rank>& ranks = plan->hosts[host].ranks;
  const Problem within{Collective::broadcast, static_cast<Rank>(ranks.size()), 0, plan->blocks_of_a_host()};
  return {circulant_broadcast(within), ranks,
          [plan, host](Block block) { return plan->through_leader(host, block.index); }};
}

/// The leaders tell each other what their hosts have.
Embedded among_leaders(const SharedPlan& plan) {
  Problem links{Collective::allgather, static_cast<Rank>(plan->hosts.size()), 0, plan->blocks_of_a_host()};
  std::vector<Rank> leaders;
  for (std::size_t host = 0; host < plan->hosts.size(); ++host) {
    leaders.push_back(plan->hosts[host].ranks[0]);
    if (!plan->hosts[host].owners.empty()) links.owners.push_back(static_cast<Rank>(host));
  }
  return {circulant_allgather(links), std::move(leaders),
          [plan](Block block) { return plan->of_host(static_cast<std::size_t>(block.owner), block.index); }};
}

/// So many rounds after its own, a block has reached all of so many ranks.
Round lead_of(Rank ranks) { return Round{2} * ceil_log2(ranks); }

}  // namespace

Schedule hierarchical_allgather(const Problem& problem) {
  const auto plan = std::make_shared<const Plan>(plan_of(problem));
  std::vector<Embedded> gathers;
  std::vector<Embedded> passes;
  for (std::size_t host = 0; host < plan->hosts.size(); ++host) {
    gathers.push_back(gathering(plan, host));
    passes.push_back(passing_on(plan, host));
  }
  const Hosts& hosts = *problem.hosts;
  const Schedule passed_on = in_turns(problem, side_by_side(problem, {among_leaders(plan)}),
                                      side_by_side(problem, std::move(passes)), lead_of(hosts.count()));
  return in_turns(problem, side_by_side(problem, std::move(gathers)), passed_on, lead_of(hosts.most_ranks()));
}

Pipeline hierarchical_allgather_pipeline(const Load& load) {
  const Placement& at = load.placement;
  const double owners = at.most_owners;
  const double passed_on = ceil_log2(at.hosts) - 1;
  const double beyond_mean = std::max(0.0, load.largest_share_bytes - load.bytes / at.hosts);
  const double bytes = std::max(port_bytes_bound(load), load.largest_share_bytes);
  // The leader passes a block on in a round; where others own data, owners gather first.
  const double gathers = owners > 1 ? 1 : 0;
  const double passes = ceil_log2(at.most_ranks) - 1;
  return {owners,
          passed_on,
          bytes,
          passed_on * beyond_mean / owners,
          0,
          owners + gathers,
          (1 + gathers) * passes};
}

std::vector<Rank> leaders_of(const Problem& problem) {
  std::vector<Rank> leaders;
  for (const Member& member : plan_of(problem).hosts) leaders.push_back(member.ranks[0]);
  return leaders;
}

}  // namespace rota
