// Schedules that combine, played on strings: what a block holds in the end says which contributions were combined, and how.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rota/schedule/schedule.hpp"

using Memory = std::map<rota::Block, std::string>;

/// What a rank contributes to the blocks of that index.
using Contribution = std::function<std::string(rota::Rank, rota::BlockIndex)>;

/// Of a left and a right operand.
using Operator = std::function<std::string(const std::string&, const std::string&)>;

inline bool is_prefix_sum(const rota::Problem& problem) {
  return problem.collective == rota::Collective::scan || problem.collective == rota::Collective::exscan;
}

inline Memory memory_before(const rota::Problem& problem, rota::Rank rank, const Contribution& contribution) {
  Memory memory;
  for (const rota::Rank owner : is_prefix_sum(problem) ? std::vector{rank} : owners_of(problem)) {
    for (rota::BlockIndex index = 0; index < problem.blocks; ++index)
      memory[{owner, index}] = contribution(rank, index);
  }
  return memory;
}

inline void receive(Memory& memory, const rota::Step& step, const Memory& sender, const Operator& combined) {
  for (const rota::Block block : step.receive.blocks) {
    const std::string& arrived = sender.at(block);
    if (step.on_receive == rota::OnReceive::store) {
      memory[block] = arrived;
    } else if (step.on_receive == rota::OnReceive::combine_left) {
      memory[block] = combined(arrived, memory[block]);
    } else {
      memory[block] = combined(memory[block], arrived);
    }
  }
}

/// What all ranks hold after the last round.
inline std::vector<Memory> played(const rota::Schedule& schedule, const Contribution& contribution,
                                  const Operator& combined) {
  std::vector<rota::RankSchedule> steps;
  std::vector<Memory> memories;
  for (rota::Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    steps.push_back(schedule.of_rank(rank));
    memories.push_back(memory_before(schedule.problem, rank, contribution));
  }
  for (rota::Round round = 0; round < schedule.rounds; ++round) {
    const std::vector<Memory> held = memories;
    for (std::size_t rank = 0; rank < steps.size(); ++rank) {
      const rota::Step step = steps[rank](round);
      if (!step.receive.blocks.empty())
        receive(memories[rank], step, held[static_cast<std::size_t>(step.receive.peer)], combined);
      for (const rota::Combination& each : step.combinations)
        memories[rank].at(each.into) = combined(memories[rank].at(each.from), memories[rank].at(each.into));
    }
  }
  return memories;
}
