#include "rota_mpi/calls/exchanging/ports.hpp"

#include <cstring>
#include <stdexcept>

#include "rota_mpi/play/execute.hpp"

namespace rota::mpi {

namespace {

/// The pieces of a part as blocks: that of a turn is block `turn` of its sender.
class ExchangedData final : public Store {
 public:
  ExchangedData(const Part& part, Mail& mail, Rank rank) : part_(part), mail_(mail), rank_(rank) {}

  std::int64_t bytes(const Blocks& blocks) const override { return transfer_of(blocks).range.size(); }
  const std::byte* in_place(const Blocks& blocks) override { return mail_.outgoing(transfer_of(blocks)); }
  std::byte* room(const Blocks& blocks) override { return mail_.incoming(transfer_of(blocks)); }
  void filled(const Blocks& blocks) override { mail_.received(transfer_of(blocks)); }

  void copy_out(const Blocks& blocks, std::byte* packed) override {
    std::memcpy(packed, in_place(blocks), static_cast<std::size_t>(bytes(blocks)));
  }
  void take(const Blocks& blocks, OnReceive, std::byte* packed) override {
    std::memcpy(room(blocks), packed, static_cast<std::size_t>(bytes(blocks)));
    filled(blocks);
  }
  void combine(const Combination&) override { throw std::logic_error("exchanged data is not combined"); }

 private:
  /// Messages have one block each.
  const Transfer& transfer_of(const Blocks& blocks) const {
    const Block block = *blocks.begin();
    const Turn& turn = part_[static_cast<std::size_t>(block.index)];
    return block.owner == rank_ ? turn.send : turn.receive;
  }

  const Part& part_;
  Mail& mail_;
  Rank rank_;
};

Message message_with(const Transfer& transfer, Block block) {
  return transfer.range.size() == 0 ? Message{} : Message{transfer.peer, block};
}

}  // namespace

void play(const Part& part, Mail& mail, const Companion& companion) {
  const auto steps = [&](Round round) {
    const Turn& turn = part[static_cast<std::size_t>(round)];
    return Step{.send = message_with(turn.send, {companion.rank, round}),
                .receive = message_with(turn.receive, {turn.receive.peer, round}),
                .combinations = {}};
  };
  ExchangedData store(part, mail, companion.rank);
  execute({steps, static_cast<Round>(part.size()), companion.channel()}, store);
}

}  // namespace rota::mpi
