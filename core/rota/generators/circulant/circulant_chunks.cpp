#include "rota/generators/circulant/circulant_chunks.hpp"

#include <utility>
#include <vector>

#include "rota/generators/circulant/circulant_allreduce.hpp"

namespace rota {

namespace {

/// The same owners' blocks of that chunk.
Message of_chunk(BlockIndex chunk, const Message& message) {
  std::vector<Block> blocks;
  blocks.reserve(message.blocks.size());
  for (const Block each : message.blocks) blocks.push_back({each.owner, chunk});
  return {message.peer, Blocks(std::move(blocks))};
}

Step of_chunk(BlockIndex chunk, const Step& step) {
  return {of_chunk(chunk, step.send), of_chunk(chunk, step.receive), step.on_receive, {}};
}

}  // namespace

Schedule circulant_chunks(const Problem& problem) {
  require_valid(problem);
  Problem of_parts = problem;
  of_parts.owners.clear();
  Problem of_one = of_parts;
  of_one.blocks = 1;
  const Schedule one = circulant_allreduce(of_one);
  if (one.rounds == 0) return nothing(of_parts);
  const auto of_rank = [one](Rank rank) -> RankSchedule {
    return [steps = one.of_rank(rank), rounds = one.rounds](Round round) {
      return of_chunk(round / rounds, steps(round % rounds));
    };
  };
  return {of_parts, problem.blocks * one.rounds, of_rank, {}, one.symmetry};
}

Pipeline circulant_chunks_pipeline(const Load& load) {
  return {2.0 * ceil_log2(load.ranks), 0, port_bytes_bound(load), 0, 0.5};
}

}  // namespace rota
