#include "rota/generators/between_groups/inter_broadcast.hpp"

#include <vector>

#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

std::vector<Rank> root_and_others(const Problem& problem) {
  const Group others = other_group(problem, problem.root);
  std::vector<Rank> ranks{problem.root};
  for (Rank rank = others.first; rank < others.end; ++rank) ranks.push_back(rank);
  return ranks;
}

/// By one link of each host: of several, a message to the root would have several blocks, of which only some
/// may come for the first time (without_own_part).
std::shared_ptr<const Hosts> hosts_among(const std::vector<Rank>& ranks, const Hosts& hosts) {
  std::vector<Rank> names;
  names.reserve(ranks.size());
  for (const Rank rank : ranks) names.push_back(hosts.of_rank[static_cast<std::size_t>(rank)]);
  return std::make_shared<const Hosts>(hosts_called(names));
}

Schedule embedded(const Problem& problem, Schedule inner) {
  Problem whole = problem;
  whole.blocks = inner.problem.blocks;
  return side_by_side(whole,
                      {{std::move(inner), root_and_others(problem),
                        [root = problem.root](Block block) { return Blocks(Block{root, block.index}); }}});
}

/// In which round each block first comes to the root.
std::vector<Round> first_rounds(const RankSchedule& steps, Round rounds, BlockIndex blocks) {
  std::vector<Round> first(static_cast<std::size_t>(blocks), rounds);
  for (Round round = rounds - 1; round >= 0; --round) {
    for (const Block block : steps(round).receive.blocks)
      first[static_cast<std::size_t>(block.index)] = round;
  }
  return first;
}

/// The same steps for a root that has no part of its own: a block's first arrival is stored. Every message of
/// a reduction to one root has one block.
RankSchedule without_own_part(RankSchedule steps, const Schedule& schedule) {
  std::vector<Round> first = first_rounds(steps, schedule.rounds, schedule.problem.blocks);
  return [steps = std::move(steps), first = std::move(first)](Round round) {
    Step step = steps(round);
    const bool is_first = !step.receive.blocks.empty() &&
                          first[static_cast<std::size_t>(step.receive.blocks.begin()->index)] == round;
    if (is_first) step.on_receive = OnReceive::store;
    return step;
  };
}

Schedule without_roots_part(const Schedule& schedule) {
  Schedule result = schedule;
  result.of_rank = [schedule](Rank rank) {
    return rank == schedule.problem.root ? without_own_part(schedule.of_rank(rank), schedule)
                                         : schedule.of_rank(rank);
  };
  return result;
}

}  // namespace

Problem among_root_and_others(const Problem& problem) {
  const bool reduces = problem.collective == Collective::inter_reduce;
  Problem inner{reduces ? Collective::reduce : Collective::broadcast,
                1 + other_group(problem, problem.root).size(), 0, problem.blocks};
  inner.in_order = problem.in_order;
  if (problem.hosts) inner.hosts = hosts_among(root_and_others(problem), *problem.hosts);
  return inner;
}

Schedule inter_broadcast(const Problem& problem, Schedule (*broadcast)(const Problem&)) {
  require_valid(problem);
  return embedded(problem, broadcast(among_root_and_others(problem)));
}

Schedule inter_reduce(const Problem& problem, Schedule (*reduce)(const Problem&)) {
  require_valid(problem);
  return without_roots_part(embedded(problem, reduce(among_root_and_others(problem))));
}

}  // namespace rota
