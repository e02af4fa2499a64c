// Schedules of ranks that share hosts, for their tests.
#pragma once

#include <string>
#include <vector>

#include "rota/generators/names.hpp"
#include "rota/schedule/hosts.hpp"

inline std::string text(const rota::Problem& problem) {
  std::string hosts;
  for (const rota::Rank host : problem.hosts->of_rank) hosts.append(" ").append(std::to_string(host));
  return std::string(rota::name(problem.collective)) + ", root " + std::to_string(problem.root) +
         ", n = " + std::to_string(problem.blocks) + ", owners " +
         std::to_string(rota::owners_of(problem).size()) + ", hosts" + hosts;
}

/// To so many hosts in turn.
inline rota::Hosts dealt(rota::Rank ranks, rota::Rank count) {
  std::vector<rota::Rank> names(static_cast<std::size_t>(ranks));
  for (std::size_t rank = 0; rank < names.size(); ++rank) names[rank] = static_cast<rota::Rank>(rank) % count;
  return rota::hosts_called(names);
}

/// Calls use(round, host, other host, blocks) for each message between two hosts.
template <class Use>
void over_links(const rota::Schedule& schedule, const Use& use) {
  const std::vector<rota::Rank>& host_of = schedule.problem.hosts->of_rank;
  for (rota::Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const rota::RankSchedule steps = schedule.of_rank(rank);
    for (rota::Round round = 0; round < schedule.rounds; ++round) {
      const rota::Step step = steps(round);
      if (step.send.blocks.empty()) continue;
      const rota::Rank from = host_of[static_cast<std::size_t>(rank)];
      const rota::Rank to = host_of[static_cast<std::size_t>(step.send.peer)];
      if (from != to) use(round, from, to, step.send.blocks);
    }
  }
}
