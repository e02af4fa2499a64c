#include "rota_mpi/calls/exchanging/mail.hpp"

namespace rota::mpi {

Mail::Mail(const AllToManyCall& call, const Self& self, const Place& place) : call_(call), self_(self) {
  if (call.send == nullptr) {
    stage(place);
  } else if (call.send->bytes(place.rank) > 0) {
    copy_items(call.send->of(place.rank), call.receive.of(place.rank), self);
  }
}

void Mail::stage(const Place& place) {
  std::int64_t sum = 0;
  begins_.reserve(static_cast<std::size_t>(place.ranks));
  for (Rank peer = 0; peer < place.ranks; ++peer) {
    begins_.push_back(sum);
    if (peer != place.rank) sum += call_.receive.bytes(peer);
  }
  staged_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(sum));
  for (Rank peer = 0; peer < place.ranks; ++peer) {
    const std::int64_t bytes = peer == place.rank ? 0 : call_.receive.bytes(peer);
    std::byte* const packed = staged_.get() + begins_[static_cast<std::size_t>(peer)];
    if (bytes > 0) copy_items(call_.receive.of(peer), {packed, bytes, MPI_BYTE}, self_);
  }
}

const std::byte* Mail::outgoing(const Transfer& transfer) {
  if (staged_ != nullptr)
    return staged_.get() + begins_[static_cast<std::size_t>(transfer.peer)] + transfer.range.first;
  std::unique_ptr<Layout>& message = outgoing_[transfer.peer];
  if (message == nullptr) message = layout_to_send(call_.send->of(transfer.peer), self_);
  return message->held(transfer.range);
}

std::byte* Mail::incoming(const Transfer& transfer) {
  std::unique_ptr<Layout>& message = incoming_[transfer.peer];
  if (message == nullptr) message = layout_to_receive(call_.receive.of(transfer.peer), self_);
  return message->room(transfer.range);
}

void Mail::received(const Transfer& transfer) { incoming_.at(transfer.peer)->filled(transfer.range); }

}  // namespace rota::mpi
