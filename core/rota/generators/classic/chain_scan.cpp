#include "rota/generators/classic/chain_scan.hpp"

#include "rota/generators/counting.hpp"

namespace rota {

Step scan_step(const Problem& problem, Rank rank, const ChainHop& from_lower, const ChainHop& to_next,
               Round round) {
  const bool is_last = rank == problem.ranks - 1;
  Step result;
  if (!is_last) result.send = {rank + 1, block_if_any(problem, rank, to_next.block_in(round))};
  if (rank == 0) return result;

  const BlockIndex index = from_lower.block_in(round);
  result.receive = {rank - 1, block_if_any(problem, rank - 1, index)};
  const bool combines = !is_last || problem.collective == Collective::scan;
  if (combines && !result.receive.blocks.empty())
    result.combinations = {{.from = {rank - 1, index}, .into = {rank, index}}};
  return result;
}

Schedule chain_scan(const Problem& problem) {
  require_valid(problem);
  if (problem.ranks == 1) return nothing(problem);
  return {problem, problem.blocks + problem.ranks - 2, [problem](Rank rank) -> RankSchedule {
            return [=](Round round) { return scan_step(problem, rank, {rank - 1}, {rank}, round); };
          }};
}

Pipeline chain_scan_pipeline(const Load& load) {
  Pipeline pipeline = even_pipeline(1, load.ranks - 2, load.bytes);
  pipeline.combined_part = 1;
  return pipeline;
}

}  // namespace rota
