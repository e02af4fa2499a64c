#include "rota/generators/hierarchical/chain_on_hosts.hpp"

#include <memory>
#include <stdexcept>

#include "rota/generators/classic/chain_scan.hpp"
#include "rota/generators/hierarchical/chain_turns.hpp"

namespace rota {

Schedule chain_on_hosts(const Problem& problem) {
  require_valid(problem);
  if (!problem.hosts) throw std::invalid_argument("no hosts; say which ranks share one, or take the chain");
  if (problem.ranks == 1) return nothing(problem);
  const auto turns = std::make_shared<const ChainTurns>(chain_turns(*problem.hosts));
  const Round rounds = turns->period * (problem.blocks - 1) + turns->first.back() + 1;
  return {problem, rounds, [problem, turns](Rank rank) -> RankSchedule {
            const auto hop = [&](Rank from) -> ChainHop {
              const bool exists = from >= 0 && from < problem.ranks - 1;
              return exists ? ChainHop{turns->first[static_cast<std::size_t>(from)], turns->period}
                            : ChainHop{};
            };
            return [problem, rank, from_lower = hop(rank - 1), to_next = hop(rank)](Round round) {
              return scan_step(problem, rank, from_lower, to_next, round);
            };
          }};
}

Pipeline chain_on_hosts_pipeline(const Load& load) {
  const ChainOverLinks& chain = load.placement.chain;
  const double within = load.ranks - 1 - chain.hops;
  Pipeline pipeline = even_pipeline(chain.rounds(), chain.hops - 1, load.bytes);
  pipeline.silent_fixed = within;
  // Of what passes its host's link a rank combines its own part only. But before the last rank is at it, a block is combined at each rank,
  // and goes from one to the next within hosts besides.
  pipeline.combined_part = 1 / pipeline.per_block;
  pipeline.silent_spread_bytes =
      2 * within * load.bytes + (1 - pipeline.combined_part) * pipeline.spread_bytes;
  return pipeline;
}

}  // namespace rota
