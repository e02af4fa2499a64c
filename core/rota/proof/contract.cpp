#include "rota/proof/contract.hpp"

#include "rota/schedule/groups.hpp"
#include "rota/schedule/parcels.hpp"
#include "rota/schedule/series.hpp"

namespace rota {

namespace {

void add_blocks_of(Rank owner, BlockIndex blocks, const Contributions& value, Holdings& holdings) {
  for (BlockIndex index = 0; index < blocks; ++index) holdings.emplace(Block{owner, index}, value);
}

/// All blocks of one owner, each with this value.
Holdings data_of(Rank owner, const Problem& problem, const Contributions& value) {
  Holdings holdings;
  add_blocks_of(owner, problem.blocks, value, holdings);
  return holdings;
}

/// All blocks of all owners, those of each with the value that value(owner) is.
template <class Value>
Holdings all_data(const Problem& problem, const Value& value) {
  Holdings holdings;
  for (const Rank owner : owners_of(problem)) add_blocks_of(owner, problem.blocks, value(owner), holdings);
  return holdings;
}

Holdings parcels_from(Rank rank, const Parcels& parcels) {
  Holdings holdings;
  const auto count = static_cast<BlockIndex>(parcels.from(rank).size());
  add_blocks_of(rank, count, Contributions::of(rank, rank), holdings);
  return holdings;
}

Holdings parcels_for(Rank rank, const Parcels& parcels) {
  Holdings holdings;
  for (const Block block : parcels.for_rank(rank))
    holdings.emplace(block, Contributions::of(block.owner, block.owner));
  return holdings;
}

/// All blocks of these ranks in an allgather between groups.
Holdings shares_of(const Group& group, const Problem& problem) {
  const std::vector<BlockIndex> counts = block_counts(problem);
  Holdings holdings;
  for (Rank owner = group.first; owner < group.end; ++owner) {
    const BlockIndex count = counts[static_cast<std::size_t>(owner)];
    add_blocks_of(owner, count, Contributions::of(owner, owner), holdings);
  }
  return holdings;
}

/// The blocks of these ranks in an allreduce between groups.
Holdings parts_of(const Group& group, const Problem& problem, const Contributions& value) {
  Holdings holdings;
  for (Rank owner = group.first; owner < group.end; ++owner)
    add_blocks_of(owner, problem.blocks, value, holdings);
  return holdings;
}

bool is_root_group(const Problem& problem, Rank rank) { return own_group(problem, problem.root).has(rank); }

Contributions all_of(const Group& group) { return Contributions::of(group.first, group.end - 1); }

Holdings messages_from(Rank rank, const Problem& problem) {
  Holdings holdings;
  for (const Origin& origin : problem.series->origins) {
    if (origin.rank != rank) continue;
    const Contributions own = Contributions::of(origin.message, origin.message);
    add_blocks_of(origin.message, problem.blocks, own, holdings);
  }
  return holdings;
}

Holdings messages_for(Rank rank, const Problem& problem) {
  Holdings holdings;
  for (const Delivery& delivery : problem.series->deliveries) {
    if (delivery.rank != rank) continue;
    const Contributions combined = Contributions::of(delivery.first, delivery.last);
    add_blocks_of(delivery.message, problem.blocks, combined, holdings);
  }
  return holdings;
}

}  // namespace

Holdings precondition(const Problem& problem, Rank rank) {
  Contributions own = Contributions::of(rank, rank);
  switch (problem.collective) {
    case Collective::broadcast:
      return rank == problem.root ? data_of(rank, problem, own) : Holdings{};
    case Collective::allgather:
      return owns(problem, rank) ? data_of(rank, problem, own) : Holdings{};
    case Collective::reduce:
    case Collective::reduce_scatter:
    case Collective::allreduce:
      return all_data(problem, [&](Rank) { return own; });
    case Collective::scan:
    case Collective::exscan:
      return data_of(rank, problem, own);
    case Collective::all_to_many:
      return parcels_from(rank, *problem.parcels);
    case Collective::series:
      return messages_from(rank, problem);
    case Collective::inter_allgather:
      return shares_of({rank, rank + 1}, problem);
    case Collective::inter_broadcast:
      return rank == problem.root ? data_of(rank, problem, own) : Holdings{};
    case Collective::inter_reduce:
      return is_root_group(problem, rank) ? Holdings{} : data_of(problem.root, problem, own);
    case Collective::inter_allreduce:
      return parts_of(own_group(problem, rank), problem, own);
  }
  return {};
}

Holdings postcondition(const Problem& problem, Rank rank) {
  const auto alone = [](Rank owner) { return Contributions::of(owner, owner); };
  const auto combined = [&](Rank) { return Contributions::of(0, problem.ranks - 1); };
  switch (problem.collective) {
    case Collective::broadcast:
    case Collective::allgather:
      return all_data(problem, alone);
    case Collective::reduce:
      return rank == problem.root ? data_of(rank, problem, combined(rank)) : Holdings{};
    case Collective::reduce_scatter:
      return owns(problem, rank) ? data_of(rank, problem, combined(rank)) : Holdings{};
    case Collective::allreduce:
      return all_data(problem, combined);
    case Collective::scan:
      return data_of(rank, problem, Contributions::of(0, rank));
    case Collective::exscan:
      return rank > 0 ? data_of(rank - 1, problem, Contributions::of(0, rank - 1)) : Holdings{};
    case Collective::all_to_many:
      return parcels_for(rank, *problem.parcels);
    case Collective::series:
      return messages_for(rank, problem);
    case Collective::inter_allgather:
      return shares_of(other_group(problem, rank), problem);
    case Collective::inter_broadcast:
      return is_root_group(problem, rank) ? Holdings{} : data_of(problem.root, problem, alone(problem.root));
    case Collective::inter_reduce:
      return rank == problem.root ? data_of(rank, problem, all_of(other_group(problem, rank))) : Holdings{};
    case Collective::inter_allreduce:
      return parts_of(other_group(problem, rank), problem, all_of(other_group(problem, rank)));
  }
  return {};
}

bool order_matters(const Problem& problem) {
  return problem.in_order || problem.collective == Collective::scan ||
         problem.collective == Collective::exscan || problem.collective == Collective::series;
}

}  // namespace rota
