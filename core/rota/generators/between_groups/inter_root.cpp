#include "rota/generators/between_groups/inter_root.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/generators/between_groups/inter_row.hpp"
#include "rota/generators/classic/binomial_scatter.hpp"
#include "rota/generators/classic/scatter_allgather.hpp"
#include "rota/schedule/message_list.hpp"

namespace rota {

namespace {

/// One direction: the row of a group's data.
using SharedRow = std::shared_ptr<const Row>;

std::vector<Rank> members(const Group& group) {
  std::vector<Rank> ranks(static_cast<std::size_t>(group.size()));
  std::iota(ranks.begin(), ranks.end(), group.first);
  return ranks;
}

Embedded gathering(const SharedRow& row) {
  const Group& senders = row->senders();
  return {
      binomial_gather({Collective::allgather, senders.size()}, 0), members(senders), [row](Block of_sender) {
        return row->blocks(row->begin_of_sender(of_sender.owner), row->begin_of_sender(of_sender.owner + 1));
      }};
}

Embedded broadcasting(const SharedRow& row) {
  const Group& receivers = row->receivers();
  return {scatter_allgather({Collective::broadcast, receivers.size()}), members(receivers),
          [row](Block part) {
            const auto number = static_cast<Rank>(part.index);
            return row->blocks(row->begin_of_receiver(number), row->begin_of_receiver(number + 1));
          }};
}

TimedMessage root_to_root(const Row& row) {
  return {0, row.senders().first, row.receivers().first, row.blocks(0, row.size())};
}

/// A broadcast's parts come out even where a share is cut into a multiple of these; more than enough of them
/// make parts about even.
constexpr BlockIndex blocks_enough = 16;

BlockIndex blocks_of_a_share(Rank senders, Rank receivers) {
  return std::min<BlockIndex>(receivers / std::gcd(senders, receivers),
                              blocks_enough * ((receivers - 1) / senders + 1));
}

Problem cut_for_parts(const Problem& problem) {
  const auto [first, second] = groups_of(problem);
  const std::array<bool, 2> has_data = groups_with_data(problem);
  Problem in_parts = problem;
  in_parts.blocks = std::max(has_data[0] ? blocks_of_a_share(first.size(), second.size()) : 1,
                             has_data[1] ? blocks_of_a_share(second.size(), first.size()) : 1);
  return in_parts;
}

}  // namespace

Schedule inter_root(const Problem& problem) {
  require_valid(problem);
  const Problem in_parts = cut_for_parts(problem);
  const std::vector<BlockIndex> counts = block_counts(in_parts);
  const auto [first, second] = groups_of(in_parts);
  std::vector<Embedded> gathers;
  std::vector<Embedded> broadcasts;
  std::vector<TimedMessage> between;
  for (const auto& row : {std::make_shared<const Row>(first, second, counts),
                          std::make_shared<const Row>(second, first, counts)}) {
    if (row->size() == 0) continue;
    gathers.push_back(gathering(row));
    between.push_back(root_to_root(*row));
    broadcasts.push_back(broadcasting(row));
  }
  const Schedule to_roots = then(in_parts, side_by_side(in_parts, std::move(gathers)),
                                 schedule_of_messages(in_parts, std::move(between)));
  return then(in_parts, to_roots, side_by_side(in_parts, std::move(broadcasts)));
}

namespace {

/// The parts of one direction: rounds and bytes of the gather, from root to root, of the broadcast.
struct Phases {
  std::array<double, 3> rounds{};
  std::array<double, 3> bytes{};
};

Phases phases_of(const GroupLoad& senders, Rank receivers) {
  if (senders.bytes <= 0) return {};
  const double gathered = senders.bytes * (senders.ranks - 1) / senders.ranks;
  const double broadcast = 2 * senders.bytes * (receivers - 1) / receivers;
  return {{static_cast<double>(ceil_log2(senders.ranks)), 1, 2.0 * ceil_log2(receivers)},
          {gathered, senders.bytes, broadcast}};
}

}  // namespace

Pipeline inter_root_pipeline(const Load& load) {
  const Phases there = phases_of(load.groups[0], load.groups[1].ranks);
  const Phases back = phases_of(load.groups[1], load.groups[0].ranks);
  Pipeline pipeline{0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < there.rounds.size(); ++i) {
    pipeline.fixed += std::max(there.rounds[i], back.rounds[i]);
    pipeline.bytes += std::max(there.bytes[i], back.bytes[i]);
  }
  return pipeline;
}

}  // namespace rota
