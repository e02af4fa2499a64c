#include "rota/generators/between_groups/inter_spread.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "rota/generators/between_groups/inter_row.hpp"
#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/message_list.hpp"

namespace rota {

namespace {

/// Blocks first..end - 1 of a row from one sender to one receiver.
struct Piece {
  std::int64_t first = 0;
  std::int64_t end = 0;
  Rank sender = 0;  // numbers in their groups
  Rank receiver = 0;
};

/// All pieces of at most `most` blocks, none across a multiple of T.
std::vector<Piece> pieces_of(const Row& row, std::int64_t period, std::int64_t most) {
  std::vector<Piece> pieces;
  Piece next;
  while (next.first < row.size()) {
    while (row.begin_of_sender(next.sender + 1) <= next.first) ++next.sender;
    while (row.begin_of_receiver(next.receiver + 1) <= next.first) ++next.receiver;
    next.end = std::min({row.begin_of_sender(next.sender + 1), row.begin_of_receiver(next.receiver + 1),
                         (next.first / period + 1) * period, next.first + most});
    pieces.push_back(next);
    next.first = next.end;
  }
  return pieces;
}

/// At least this many messages each way, if there are so many blocks: where pieces are cut short, others fit
/// in.
constexpr std::int64_t least_messages = 8;

void add_spreading(const Row& row, std::vector<TimedMessage>& messages) {
  if (row.size() == 0) return;
  const std::int64_t period = row.most_of_a_rank();
  // About as large as the messages by which receivers gather.
  const std::int64_t most =
      std::max<std::int64_t>(1, std::min<std::int64_t>(row.receivers().size(), period / least_messages));
  std::vector<Piece> pieces = pieces_of(row, period, most);
  std::ranges::sort(pieces, {},
                    [&](const Piece& piece) { return std::pair(piece.first % period, piece.first); });
  for (const Piece& piece : pieces) {
    messages.push_back({0, row.senders().first + piece.sender, row.receivers().first + piece.receiver,
                        row.blocks(piece.first, piece.end)});
  }
}

/// The receivers gather what has been spread over them, a block of each at a time.
Embedded gathering(const std::shared_ptr<const Row>& row) {
  const Group& receivers = row->receivers();
  const BlockIndex n = std::max<BlockIndex>(1, row->most_of_a_receiver());
  Problem among{Collective::allgather, receivers.size(), 0, n};
  for (Rank number = 0; number < receivers.size(); ++number) {
    if (row->begin_of_receiver(number + 1) > row->begin_of_receiver(number)) among.owners.push_back(number);
  }
  std::vector<Rank> ranks(static_cast<std::size_t>(receivers.size()));
  std::iota(ranks.begin(), ranks.end(), receivers.first);
  const Schedule gather = among.owners.empty() ? nothing(among) : circulant_allgather(among);
  return {gather, std::move(ranks), [row, n](Block block) {
            const std::int64_t begin = row->begin_of_receiver(block.owner);
            const std::int64_t count = row->begin_of_receiver(block.owner + 1) - begin;
            return row->blocks(begin + cut_begin(count, n, block.index),
                               begin + cut_begin(count, n, block.index + 1));
          }};
}

}  // namespace

Schedule spread_blocks(const Problem& problem, const std::vector<BlockIndex>& counts) {
  const auto [first, second] = groups_of(problem);
  std::vector<TimedMessage> messages;
  std::vector<Embedded> gathers;
  for (const auto& row : {std::make_shared<const Row>(first, second, counts),
                          std::make_shared<const Row>(second, first, counts)}) {
    add_spreading(*row, messages);
    gathers.push_back(gathering(row));
  }
  return then(problem, schedule_in_order(problem, std::move(messages)),
              side_by_side(problem, std::move(gathers)));
}

Schedule inter_spread(const Problem& problem) {
  require_valid(problem);
  return spread_blocks(problem, block_counts(problem));
}

namespace {

/// One direction of the spreading, for a share in one block.
struct Direction {
  double period = 0;    // T
  double gathered = 0;  // blocks that a receiver gets while they are spread
  double receivers = 1;
  double bytes = 0;  // through a receiver's port, while its senders spread and after
};

Direction direction(const GroupLoad& senders, Rank receivers, double block_bytes) {
  if (senders.bytes <= 0) return {};
  const double each = senders.bytes / receivers;
  const double most = std::max(senders.largest_share_bytes, each);
  return {most / block_bytes, each / block_bytes, static_cast<double>(receivers),
          most + senders.bytes - each};
}

}  // namespace

Pipeline inter_spread_pipeline(const Load& load) {
  const double share = std::max(1.0, load.largest_share_bytes);
  const Direction there = direction(load.groups[0], load.groups[1].ranks, share);
  const Direction back = direction(load.groups[1], load.groups[0].ranks, share);
  const double messages = std::max(there.period / there.receivers, back.period / back.receivers);
  const double gathered = std::max(there.gathered, back.gathered);
  const double last = ceil_log2(static_cast<Rank>(std::max(there.receivers, back.receivers)));
  // Receivers get a block more or less than others.
  return {messages + gathered, last, std::max(there.bytes, back.bytes), share * std::min(1.0, last), 0};
}

}  // namespace rota
