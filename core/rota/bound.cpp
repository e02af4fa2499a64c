#include "rota/bound.hpp"

#include <algorithm>
#include <bit>

namespace rota {

int ceil_log2(Rank ranks) { return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks) - 1U)); }

Effort lower_bound(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return {};
  return {problem.blocks - 1 + ceil_log2(problem.ranks), problem.blocks};
}

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
