#include "rota_mpi/calls/exchanging/exchanged.hpp"

#include <cstring>
#include <stdexcept>

namespace rota::mpi {

namespace {

Message message_with(const Transfer& transfer, Block block) {
  return transfer.range.size() == 0 ? Message{} : Message{transfer.peer, block};
}

}  // namespace

RankSchedule steps_of(const std::shared_ptr<const Part>& part, Rank rank) {
  return [part, rank](Round round) {
    const Turn& turn = part->turns[static_cast<std::size_t>(round)];
    return Step{.send = message_with(turn.send, {rank, round}),
                .receive = message_with(turn.receive, {turn.receive.peer, round}),
                .combinations = {}};
  };
}

/// Messages have one block each.
const Transfer& ExchangedData::transfer_of(const Blocks& blocks) const {
  const Block block = *blocks.begin();
  const Turn& turn = part_->turns[static_cast<std::size_t>(block.index)];
  return block.owner == rank_ ? turn.send : turn.receive;
}

std::int64_t ExchangedData::bytes(const Blocks& blocks) const { return transfer_of(blocks).range.size(); }

const std::byte* ExchangedData::in_place(const Blocks& blocks) { return mail_.outgoing(transfer_of(blocks)); }

std::byte* ExchangedData::room(const Blocks& blocks) { return mail_.incoming(transfer_of(blocks)); }

void ExchangedData::filled(const Blocks& blocks) { mail_.received(transfer_of(blocks)); }

void ExchangedData::copy_out(const Blocks& blocks, std::byte* packed) {
  std::memcpy(packed, in_place(blocks), static_cast<std::size_t>(bytes(blocks)));
}

void ExchangedData::take(const Blocks& blocks, OnReceive, std::byte* packed) {
  std::memcpy(room(blocks), packed, static_cast<std::size_t>(bytes(blocks)));
  filled(blocks);
}

void ExchangedData::combine(const Combination&) { throw std::logic_error("exchanged data is not combined"); }

}  // namespace rota::mpi
