#include "rota/schedule/rotation.hpp"

#include <algorithm>
#include <vector>

namespace rota {

namespace {

/// In increasing order of owners, which those that pass p - 1 come to begin.
Blocks further_on(const Blocks& blocks, Rank by, Rank ranks) {
  if (blocks.size() == 1) return Block{rotated(blocks.begin()->owner, by, ranks), blocks.begin()->index};
  std::vector<Block> moved(blocks.begin(), blocks.end());
  for (Block& block : moved) block.owner = rotated(block.owner, by, ranks);
  std::ranges::rotate(moved, std::ranges::min_element(moved));
  return Blocks(std::move(moved));
}

Message further_on(const Message& message, Rank by, Rank ranks) {
  if (message.blocks.empty()) return {};
  return {rotated(message.peer, by, ranks), further_on(message.blocks, by, ranks)};
}

}  // namespace

Step rotated(const Step& step, Rank by, Rank ranks) {
  return {further_on(step.send, by, ranks), further_on(step.receive, by, ranks), step.on_receive, {}};
}

bool are_alike(const Step& one, const Step& other) {
  const bool stores = one.on_receive == OnReceive::store;
  return one.send == other.send && one.receive == other.receive &&
         stores == (other.on_receive == OnReceive::store) && one.combinations.empty() &&
         other.combinations.empty();
}

std::optional<std::string> rotation_fault(const Schedule& schedule, std::span<const Rank> ranks) {
  const RankSchedule first = schedule.of_rank(0);
  for (const Rank rank : ranks) {
    const RankSchedule steps = schedule.of_rank(rank);
    for (Round round = 0; round < schedule.rounds; ++round) {
      if (are_alike(steps(round), rotated(first(round), rank, schedule.problem.ranks))) continue;
      return "rank " + std::to_string(rank) + " does not do in round " + std::to_string(round) +
             " what rank 0 does, " + std::to_string(rank) + " ranks further on";
    }
  }
  return std::nullopt;
}

}  // namespace rota
