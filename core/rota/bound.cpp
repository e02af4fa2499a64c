#include "rota/bound.hpp"

#include <algorithm>
#include <bit>

#include "rota/parcels.hpp"

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
      return (2 * owners * problem.blocks * (problem.ranks - 1) + problem.ranks - 1) / problem.ranks;
    default:
      return problem.blocks;
  }
}

}  // namespace

Effort lower_bound(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return {};
  if (problem.collective == Collective::all_to_many) {
    const Rank degree = problem.parcels->pattern().degree();
    return {degree, degree};
  }
  return {problem.blocks - 1 + ceil_log2(problem.ranks), port_blocks_bound(problem)};
}

double port_bytes_bound(const Load& load) {
  if (load.ranks == 1) return 0;
  switch (load.collective) {
    case Collective::allgather:
    case Collective::reduce_scatter:
      return load.bytes - load.smallest_share_bytes;
    case Collective::allreduce:
      return 2 * load.bytes * (load.ranks - 1) / load.ranks;
    default:
      return load.bytes;
  }
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
