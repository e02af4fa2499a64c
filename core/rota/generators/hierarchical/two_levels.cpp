#include "rota/generators/hierarchical/two_levels.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/model/bound.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

/// Of one message.
Blocks in_order(std::vector<Block> blocks) {
  if (blocks.size() == 1) return blocks[0];
  std::ranges::sort(blocks);
  return Blocks(std::move(blocks));
}

struct Plan {
  Problem problem;
  Rank lanes = 1;
  std::vector<HostPart> hosts;
  std::vector<std::size_t> with_owners;  // hosts
  BlockIndex units_of_a_lane = 1;        // of the host that has the most

  /// Has each leader of the host what is to leave by its lane, from the beginning?
  bool leaders_own(std::size_t host) const {
    const HostPart& part = hosts[host];
    return part.owners.empty() || (part.unit == 1 && part.owners.size() == static_cast<std::size_t>(lanes));
  }

  /// Has nobody but the only lane's leader a use for what the host's owners have?
  bool only_leader_takes(std::size_t host) const {
    return lanes == 1 && hosts[host].unit == 1 && passed_to(host).size() == 1;
  }

  /// The leaders of a host, and its other ranks that are to have all data.
  std::vector<Rank> passed_to(std::size_t host) const {
    const HostPart& part = hosts[host];
    std::vector<Rank> found(part.ranks.begin(), part.ranks.begin() + lanes);
    std::copy_if(part.ranks.begin() + lanes, part.ranks.end(), std::back_inserter(found),
                 [&](Rank rank) { return std::ranges::binary_search(part.takers, rank); });
    return found;
  }

  /// A host's unit k of a lane, if it has so many there.
  Blocks of_host(std::size_t host, Rank lane, BlockIndex k) const {
    const HostPart& part = hosts[host];
    const auto count = static_cast<BlockIndex>(part.owners.size());
    const BlockIndex first = (k * lanes + lane) * part.unit;
    const BlockIndex end = std::min(first + part.unit, count * problem.blocks);
    const auto block_of = [&](BlockIndex t) {
      return Block{part.owners[static_cast<std::size_t>(t % count)], t / count};
    };
    if (end == first + 1) return block_of(first);
    std::vector<Block> blocks;
    for (BlockIndex t = first; t < end; ++t) blocks.push_back(block_of(t));
    return in_order(std::move(blocks));
  }

  /// Unit k of a lane of every host whose data comes to the ranks of this one through the lane's leader.
  Blocks through_leader(std::size_t host, Rank lane, BlockIndex k) const {
    std::vector<Block> blocks;
    for (const std::size_t other : with_owners) {
      if (other == host && !leaders_own(host)) continue;
      const Blocks found = of_host(other, lane, k);
      blocks.insert(blocks.end(), found.begin(), found.end());
    }
    return in_order(std::move(blocks));
  }
};

BlockIndex units_of(const HostPart& part, BlockIndex blocks) {
  const BlockIndex all = static_cast<BlockIndex>(part.owners.size()) * blocks;
  return (all + part.unit - 1) / part.unit;
}

Plan plan_of(const Problem& problem, std::vector<HostPart> parts) {
  Plan plan{problem, problem.hosts->lanes(), std::move(parts), {}};
  for (std::size_t host = 0; host < plan.hosts.size(); ++host) {
    const BlockIndex units = units_of(plan.hosts[host], problem.blocks);
    plan.units_of_a_lane = std::max(plan.units_of_a_lane, (units + plan.lanes - 1) / plan.lanes);
    if (units > 0) plan.with_owners.push_back(host);
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

/// The owners of a host, its first ranks, take turns in telling the first of all what they have: block t is
/// there after round t.
Schedule in_turns_to_first(const Problem& problem) {
  const auto owners = static_cast<Round>(problem.owners.size());
  return {problem, owners * problem.blocks, [owners](Rank rank) -> RankSchedule {
            return [owners, rank](Round round) {
              const auto owner = static_cast<Rank>(round % owners);
              Step step;
              if (owner > 0 && rank == 0) step.receive = {owner, Block{owner, round / owners}};
              if (owner > 0 && rank == owner) step.send = {0, Block{owner, round / owners}};
              return step;
            };
          }};
}

/// The owners of a host tell each other, and its other ranks, what they have; or only the leader.
Embedded gathering(const SharedPlan& plan, std::size_t host) {
  const HostPart& part = plan->hosts[host];
  const auto owners = std::max<BlockIndex>(1, static_cast<BlockIndex>(part.owners.size()));
  const BlockIndex together = part.unit * ((plan->lanes + owners - 1) / owners);
  const BlockIndex blocks = plan->problem.blocks;
  const Problem within{Collective::allgather, static_cast<Rank>(part.ranks.size()), 0,
                       (blocks + together - 1) / together, first_ranks(part.owners.size())};
  const auto schedule = [&] {
    if (plan->leaders_own(host)) return nothing(within);
    return plan->only_leader_takes(host) ? in_turns_to_first(within) : circulant_allgather(within);
  };
  return {schedule(), part.ranks, [plan, host, together, blocks](Block block) {
            const Rank owner = plan->hosts[host].ranks[static_cast<std::size_t>(block.owner)];
            std::vector<Block> found;
            const BlockIndex end = std::min(blocks, (block.index + 1) * together);
            for (BlockIndex index = block.index * together; index < end; ++index)
              found.push_back({owner, index});
            return in_order(std::move(found));
          }};
}

/// The leaders pass on what comes from other hosts.
Embedded passing_on(const SharedPlan& plan, std::size_t host) {
  std::vector<Rank> ranks = plan->passed_to(host);
  const Problem within{Collective::allgather, static_cast<Rank>(ranks.size()), 0, plan->units_of_a_lane,
                       first_ranks(static_cast<std::size_t>(plan->lanes))};
  return {circulant_allgather(within), std::move(ranks),
          [plan, host](Block block) { return plan->through_leader(host, block.owner, block.index); }};
}

/// The leaders of a lane tell each other what of their hosts' data is for that lane.
Embedded among_leaders(const SharedPlan& plan, Rank lane) {
  Problem links{Collective::allgather, static_cast<Rank>(plan->hosts.size()), 0, plan->units_of_a_lane};
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

/// The ranks of a host by their places: are the same of these owners, and takers, on every host?
bool are_alike(const Plan& plan) {
  const Hosts& hosts = *plan.problem.hosts;
  const auto places_of = [&](const std::vector<Rank>& ranks) {
    std::vector<Rank> found(ranks.size());
    std::ranges::transform(ranks, found.begin(), [&](Rank rank) { return hosts.place_of(rank); });
    return found;
  };
  const auto places = [&](std::size_t host) {
    const HostPart& part = plan.hosts[host];
    return std::tuple(part.ranks.size(), places_of(part.owners), places_of(part.takers));
  };
  const auto first = places(0);
  for (std::size_t host = 1; host < plan.hosts.size(); ++host) {
    if (places(host) != first) return false;
  }
  return true;
}

/// Within hosts that are alike all is alike. Over links hosts play a circulant allgather in which all are
/// owners, which rotates; and what a host's unit k is depends on that host's part only.
Symmetry symmetry_of(const Plan& plan) {
  return are_alike(plan) ? Symmetry::rotation_of_hosts : Symmetry::none;
}

}  // namespace

std::vector<HostPart> parts_of_hosts(const Problem& problem) {
  require_valid(problem);
  if (!problem.hosts) throw std::invalid_argument("no hosts; say which ranks share one");
  std::vector<HostPart> parts(problem.hosts->ranks.size());
  for (const Rank owner : owners_of(problem)) {
    const Rank host = problem.hosts->of_rank[static_cast<std::size_t>(owner)];
    parts[static_cast<std::size_t>(host)].owners.push_back(owner);
  }
  for (std::size_t host = 0; host < parts.size(); ++host) {
    HostPart& part = parts[host];
    part.ranks = part.takers = problem.hosts->ranks[host];
    std::ranges::sort(part.ranks, {}, [&](Rank rank) {
      return std::pair(!std::ranges::binary_search(part.owners, rank), rank);
    });
  }
  return parts;
}

Schedule allgather_on_two_levels(const Problem& problem, std::vector<HostPart> parts) {
  const auto plan = std::make_shared<const Plan>(plan_of(problem, std::move(parts)));
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

}  // namespace rota
