// What schedules that mind hosts send over their links, beside the least that must pass them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "on_hosts.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/model/bound.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

/// The most blocks that leave a host, and that come to one.
struct LinkBlocks {
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

inline LinkBlocks link_blocks(const Schedule& schedule) {
  std::map<Rank, LinkBlocks> links;
  over_links(schedule, [&](Round, Rank from, Rank to, const Blocks& blocks) {
    links[from].sent += static_cast<std::int64_t>(blocks.size());
    links[to].received += static_cast<std::int64_t>(blocks.size());
  });
  LinkBlocks most;
  for (const auto& [host, blocks] : links) {
    most.sent = std::max(most.sent, blocks.sent);
    most.received = std::max(most.received, blocks.received);
  }
  return most;
}

/// How often a host's ranks are followed by others', or follow them.
inline std::int64_t most_runs(const Hosts& hosts) {
  std::map<Rank, std::int64_t> runs;
  for (std::size_t rank = 1; rank < hosts.of_rank.size(); ++rank) {
    if (hosts.of_rank[rank - 1] == hosts.of_rank[rank]) continue;
    ++runs[2 * hosts.of_rank[rank - 1]];
    ++runs[2 * hosts.of_rank[rank] + 1];
  }
  std::int64_t most = 0;
  for (const auto& [end, count] : runs) most = std::max(most, count);
  return most;
}

/// What must pass the link of the busiest host one way.
inline std::int64_t least_link_blocks(const Problem& problem) {
  const Rank hosts = problem.hosts->count();
  if (hosts == 1) return 0;
  const std::vector<Rank> owners = owners_of(problem);
  std::map<Rank, std::int64_t> owned;
  for (const Rank owner : owners) owned[problem.hosts->of_rank[static_cast<std::size_t>(owner)]] += 1;
  std::int64_t least =
      static_cast<std::int64_t>(owned.size()) < hosts ? 0 : static_cast<std::int64_t>(owners.size());
  for (const auto& [host, count] : owned) least = std::min(least, count);
  switch (problem.collective) {
    case Collective::allgather:
    case Collective::reduce_scatter:
      return problem.blocks * (static_cast<std::int64_t>(owners.size()) - least);
    case Collective::allreduce:
      return 2 * problem.blocks * problem.hosts->lanes() * (hosts - 1);
    case Collective::scan:
    case Collective::exscan:
      return problem.blocks * most_runs(*problem.hosts);
    default:
      return problem.blocks;
  }
}

/// Who has much sends it oftener than others receive it, as a broadcast's root does; in reductions the other
/// way round.
inline std::int64_t busiest_link(const Algorithm& algorithm, const LinkBlocks& blocks) {
  const bool is_evened_out =
      !algorithm.name.starts_with("hierarchical") || algorithm.collective == Collective::allreduce;
  if (is_evened_out) return std::max(blocks.sent, blocks.received);
  const bool reduces =
      algorithm.collective == Collective::reduce || algorithm.collective == Collective::reduce_scatter;
  return reduces ? blocks.sent : blocks.received;
}

/// It is correct, and passes no link oftener than it must.
inline Schedule checked(const Algorithm& algorithm, const Problem& problem) {
  const Schedule schedule = algorithm.schedule(problem);
  const std::vector<Violation> violations = verify(schedule);
  const std::string where = std::string(algorithm.name) + " " + text(schedule.problem) + ": ";
  require(violations.empty(), where + (violations.empty() ? std::string() : violations[0].fault));
  const std::int64_t blocks = busiest_link(algorithm, link_blocks(schedule));
  const std::int64_t most = least_link_blocks(schedule.problem) * (problem.in_order ? 2 : 1);
  require(blocks <= most, where + std::to_string(blocks) + " blocks over a link");
  return schedule;
}

inline Rank up_to(Rank most, std::mt19937& random) {
  return std::uniform_int_distribution<Rank>(1, most)(random);
}

/// A problem, and for each of its ranks the name of its host.
struct Placed {
  Problem problem;
  std::vector<Rank> host_names;
};

/// Of up to 40 ranks, some of which own data.
inline Placed placed_at_random(std::mt19937& random) {
  const Rank ranks = up_to(40, random);
  const Rank most_hosts = up_to(ranks, random);
  std::vector<Rank> names;
  std::vector<Rank> owners;
  for (Rank rank = 0; rank < ranks; ++rank) {
    names.push_back(10 * up_to(most_hosts, random));
    if (up_to(3, random) == 1) owners.push_back(rank);
  }
  const Rank root = up_to(ranks, random) - 1;
  return {{{}, ranks, root, up_to(9, random), owners}, names};
}

}  // namespace rota
