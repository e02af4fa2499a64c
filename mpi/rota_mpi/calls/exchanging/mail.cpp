#include "rota_mpi/calls/exchanging/mail.hpp"

namespace rota::mpi {

Mail::Mail(const AllToManyCall& call, const Self& self, const Place& place)
    : call_(call), self_(self), place_(place) {
  if (call.send == nullptr) make_staging();
}

void Mail::make_staging() {
  std::int64_t sum = 0;
  begins_.reserve(static_cast<std::size_t>(place_.ranks));
  for (Rank peer = 0; peer < place_.ranks; ++peer) {
    begins_.push_back(sum);
    if (peer != place_.rank) sum += call_.receive.bytes(peer);
  }
  staged_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(sum));
}

void Mail::start() {
  for (auto& [peer, message] : outgoing_) message->start();
  for (auto& [peer, message] : incoming_) message->start();
  if (call_.send == nullptr) {
    stage();
  } else if (call_.send->bytes(place_.rank) > 0) {
    copy_items(call_.send->of(place_.rank), call_.receive.of(place_.rank), self_);
  }
}

void Mail::stage() {
  for (Rank peer = 0; peer < place_.ranks; ++peer) {
    const std::int64_t bytes = peer == place_.rank ? 0 : call_.receive.bytes(peer);
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
