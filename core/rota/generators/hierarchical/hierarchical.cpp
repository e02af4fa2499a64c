#include "rota/generators/hierarchical/hierarchical.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

/// One host's part.
struct Member {
  std::vector<Rank> ranks;   // those that own data first; the i-th leads lane i, as far as there are lanes
  std::vector<Rank> owners;  // of its ranks, those that own data
};

struct Plan {
  Problem problem;
  Rank lanes = 1;
  std::vector<Member> hosts;
  std::vector<std::size_t> with_owners;  // hosts
  std::size_t most_owners = 1;           // on one host

  /// Of the fullest host in one lane.
  BlockIndex blocks_of_a_lane() const {
    return (static_cast<BlockIndex>(most_owners) * problem.blocks + lanes - 1) / lanes;
  }

  /// Has each leader of the host what is to leave by its lane, from the beginning?
  bool leaders_own(std::size_t host) const {
    const std::size_t owners = hosts[host].owners.size();
    return owners == 0 || owners == static_cast<std::size_t>(lanes);
  }

  /// A host's block k of a lane, if it has so many there.
  Blocks of_host(std::size_t host, Rank lane, BlockIndex k) const {
    const std::vector<Rank>& owners = hosts[host].owners;
    const auto count = static_cast<BlockIndex>(owners.size());
    const BlockIndex of_all_lanes = k * lanes + lane;
    if (of_all_lanes >= count * problem.blocks) return {};
    return Block{owners[static_cast<std::size_t>(of_all_lanes % count)], of_all_lanes / count};
  }

  /// Block k of a lane of every host whose data comes to the ranks of this one through the lane's leader.
  Blocks through_leader(std::size_t host, Rank lane, BlockIndex k) const {
    std::vector<Block> blocks;
    for (const std::size_t other : with_owners) {
      if (other == host && !leaders_own(host)) continue;
      const Blocks found = of_host(other, lane, k);
      blocks.insert(blocks.end(), found.begin(), found.end());
    }
    std::ranges::sort(blocks);
    return blocks.size() == 1 ? Blocks(blocks[0]) : Blocks(std::move(blocks));
  }
};

Plan plan_of(const Problem& problem) {
  require_valid(problem);
  if (!problem.hosts) throw std::invalid_argument("no hosts; say which ranks share one");
  Plan plan{problem, problem.hosts->lanes(), std::vector<Member>(problem.hosts->ranks.size()), {}};
  for (const Rank owner : owners_of(problem)) {
    const Rank host = problem.hosts->of_rank[static_cast<std::size_t>(owner)];
    plan.hosts[static_cast<std::size_t>(host)].owners.push_back(owner);
  }
  for (std::size_t host = 0; host < plan.hosts.size(); ++host) {
    Member& member = plan.hosts[host];
    member.ranks = problem.hosts->ranks[host];
    plan.most_owners = std::max(plan.most_owners, member.owners.size());
    if (!member.owners.empty()) plan.with_owners.push_back(host);
    std::ranges::sort(member.ranks, {}, [&](Rank rank) {
      return std::pair(!std::ranges::binary_search(member.owners, rank), rank);
    });
  }
  return plan;
}

using SharedPlan = std::shared_ptr<const Plan>;

/// The first so many ranks.
std::vector<Rank> first_ranks(std::size_t count) {
  std::vector<Rank> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// The owners of a host tell each other, and its other ranks, what they have: in one round as many blocks as
/// leave by all lanes.
Embedded gathering(const SharedPlan& plan, std::size_t host) {
  const Member& member = plan->hosts[host];
  const auto owners = std::max<BlockIndex>(1, static_cast<BlockIndex>(member.owners.size()));
  const BlockIndex together = (plan->lanes + owners - 1) / owners;
  const BlockIndex blocks = plan->problem.blocks;
  const Problem within{Collective::allgather, static_cast<Rank>(member.ranks.size()), 0,
                       (blocks + together - 1) / together, first_ranks(member.owners.size())};
  return {plan->leaders_own(host) ? nothing(within) : circulant_allgather(within), member.ranks,
          [plan, host, together, blocks](Block block) {
            const Rank owner = plan->hosts[host].ranks[static_cast<std::size_t>(block.owner)];
            std::vector<Block> found;
            const BlockIndex end = std::min(blocks, (block.index + 1) * together);
            for (BlockIndex index = block.index * together; index < end; ++index)
              found.push_back({owner, index});
            return found.size() == 1 ? Blocks(found[0]) : Blocks(std::move(found));
          }};
}

/// The leaders pass on what comes from other hosts.
Embedded passing_on(const SharedPlan& plan, std::size_t host) {
  const std::vector<Rank>& ranks = plan->hosts[host].ranks;
  const Problem within{Collective::allgather, static_cast<Rank>(ranks.size()), 0, plan->blocks_of_a_lane(),
                       first_ranks(static_cast<std::size_t>(plan->lanes))};
  return {circulant_allgather(within), ranks,
          [plan, host](Block block) { return plan->through_leader(host, block.owner, block.index); }};
}

/// The leaders of a lane tell each other what of their hosts' data is for that lane.
Embedded among_leaders(const SharedPlan& plan, Rank lane) {
  Problem links{Collective::allgather, static_cast<Rank>(plan->hosts.size()), 0, plan->blocks_of_a_lane()};
  std::vector<Rank> leaders;
  for (std::size_t host = 0; host < plan->hosts.size(); ++host) {
    leaders.push_back(plan->hosts[host].ranks[static_cast<std::size_t>(lane)]);
    if (!plan->hosts[host].owners.empty()) links.owners.push_back(static_cast<Rank>(host));
  }
  return {circulant_allgather(links), std::move(leaders), [plan, lane](Block block) {
            return plan->of_host(static_cast<std::size_t>(block.owner), lane, block.index);
          }};
}

/// So many rounds after its own, a block has reached all of so many ranks.
Round lead_of(Rank ranks) { return Round{2} * ceil_log2(ranks); }

/// The ranks of a host by their places: have the same of these as many owners on every host?
bool are_alike(const Plan& plan) {
  const Hosts& hosts = *plan.problem.hosts;
  const auto places = [&](std::size_t host) {
    std::vector<Rank> found;
    for (const Rank owner : plan.hosts[host].owners) found.push_back(hosts.place_of(owner));
    return std::pair(hosts.ranks[host].size(), found);
  };
  const auto first = places(0);
  for (std::size_t host = 1; host < plan.hosts.size(); ++host) {
    if (places(host) != first) return false;
  }
  return true;
}

/// Within hosts that are alike all is alike. Over links hosts play a circulant allgather in which all are
/// owners, which rotates; and which blocks stand for a host's k-th depends on that host's owners only.
Symmetry symmetry_of(const Plan& plan) {
  return are_alike(plan) ? Symmetry::rotation_of_hosts : Symmetry::none;
}

}  // namespace

Schedule hierarchical_allgather(const Problem& problem) {
  const auto plan = std::make_shared<const Plan>(plan_of(problem));
  std::vector<Embedded> gathers;
  std::vector<Embedded> passes;
  for (std::size_t host = 0; host < plan->hosts.size(); ++host) {
    gathers.push_back(gathering(plan, host));
    passes.push_back(passing_on(plan, host));
  }
  std::vector<Embedded> lanes;
  lanes.reserve(static_cast<std::size_t>(plan->lanes));
  for (Rank lane = 0; lane < plan->lanes; ++lane) lanes.push_back(among_leaders(plan, lane));
  const Hosts& hosts = *problem.hosts;
  const Schedule passed_on = in_turns(problem, side_by_side(problem, std::move(lanes)),
                                      side_by_side(problem, std::move(passes)), lead_of(hosts.count()));
  Schedule all =
      in_turns(problem, side_by_side(problem, std::move(gathers)), passed_on, lead_of(hosts.most_ranks()));
  all.symmetry = symmetry_of(*plan);
  return all;
}

Pipeline hierarchical_allgather_pipeline(const Load& load) {
  const Placement& at = load.placement;
  const double owners = at.most_owners;
  const double lanes = at.lanes;
  const double passed_on = ceil_log2(at.hosts) - 1;
  const double beyond_mean = std::max(0.0, load.largest_share_bytes - load.bytes / at.hosts);
  const double bytes = std::max(lane_bytes(load), load.largest_share_bytes / lanes);
  // Leaders pass a block on in a round; where others than each lane's leader own its data, owners gather first.
  const double gathers = at.most_owners == at.lanes ? 0 : 1 / std::ceil(lanes / owners);
  const double passes = ceil_log2(at.most_ranks) - 1;
  return {owners / lanes,
          passed_on,
          bytes,
          passed_on * beyond_mean / owners,
          0,
          owners / lanes + gathers,
          (gathers > 0 ? 2 : 1) * passes,
          passes * load.bytes * lanes / owners};
}

double lane_bytes(const Load& load) {
  Load on_one_link = load;
  on_one_link.placement.links = on_one_link.placement.lanes = 1;
  return port_bytes_bound(on_one_link) / load.placement.lanes;
}

std::vector<Rank> leaders_of(const Problem& problem) {
  const Plan plan = plan_of(problem);
  std::vector<Rank> leaders;
  for (const Member& member : plan.hosts)
    leaders.insert(leaders.end(), member.ranks.begin(), member.ranks.begin() + plan.lanes);
  std::ranges::sort(leaders);
  return leaders;
}

}  // namespace rota
