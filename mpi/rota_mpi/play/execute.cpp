#include "rota_mpi/play/execute.hpp"

#include <algorithm>
#include <utility>

#include "rota_mpi/data/scratch.hpp"

namespace rota::mpi {

namespace {

bool overlaps(const std::vector<Combination>& combinations, const Blocks& blocks) {
  return std::ranges::any_of(combinations, [&](const Combination& each) {
    return blocks.contains(each.from) || blocks.contains(each.into);
  });
}

/// A message on its way, and the memory that it needs where the store has none for it.
struct Transfer {
  MPI_Request request = MPI_REQUEST_NULL;
  Piece elsewhere{};
};

class Player {
 public:
  Player(const Execution& execution, Store& store)
      : execution_(execution), channel_(execution.channel), store_(store) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// When playing failed, nothing may be left that MPI writes into the user's memory later. The send may have
  /// no partner any more, so it is left to MPI, and with it the memory that it reads.
  ~Player() {
    if (receive_.request != MPI_REQUEST_NULL) {
      pmpi.Cancel(&receive_.request);
      pmpi.Wait(&receive_.request, MPI_STATUS_IGNORE);
    }
    if (send_.request != MPI_REQUEST_NULL) {
      pmpi.Request_free(&send_.request);
      static_cast<void>(send_.elsewhere.bytes.release());
    }
  }

  void play() {
    Step next = open(0, {});
    for (Round round = 0; round < execution_.rounds; ++round) {
      const Step step = std::move(next);
      send(step.send);
      Transfer received = finished(receive_);
      scratch_.give_back(finished(send_).elsewhere);
      next = open(round + 1, step);
      settle(step, std::move(received.elsewhere));
    }
  }

 private:
  bool is_empty(const Blocks& blocks) const { return blocks.empty() || store_.bytes(blocks) == 0; }

  /// The step of a round, if there is such a round, with its receive posted. What the step before has
  /// received is still to be settled.
  Step open(Round round, const Step& before) {
    if (round == execution_.rounds) return {};
    Step step = execution_.steps(round);
    if (!is_empty(step.receive.blocks)) receive(step, before);
    return step;
  }

  void receive(const Step& step, const Step& before) {
    const Blocks& blocks = step.receive.blocks;
    const std::int64_t size = store_.bytes(blocks);
    const bool is_free = !blocks.overlaps(step.send.blocks) && !blocks.overlaps(before.receive.blocks) &&
                         !overlaps(before.combinations, blocks);
    std::byte* place = step.on_receive == OnReceive::store && is_free ? store_.room(blocks) : nullptr;
    if (place == nullptr) {
      receive_.elsewhere = scratch_.take(size);
      place = receive_.elsewhere.bytes.get();
    }
    check_own(pmpi.Irecv(place, static_cast<int>(size), MPI_BYTE, channel_.peer(step.receive.peer),
                         channel_.tag(), channel_.comm(), &receive_.request));
  }

  /// Synchronously: the send ends when the receiver has taken the message, so that no rank runs ahead.
  void send(const Message& message) {
    if (is_empty(message.blocks)) return;
    const std::int64_t size = store_.bytes(message.blocks);
    const std::byte* bytes = store_.in_place(message.blocks);
    if (bytes == nullptr) {
      send_.elsewhere = scratch_.take(size);
      store_.copy_out(message.blocks, send_.elsewhere.bytes.get());
      bytes = send_.elsewhere.bytes.get();
    }
    check_own(pmpi.Issend(bytes, static_cast<int>(size), MPI_BYTE, channel_.peer(message.peer),
                          channel_.tag(), channel_.comm(), &send_.request));
  }

  static Transfer finished(Transfer& transfer) {
    if (transfer.request != MPI_REQUEST_NULL) check_own(pmpi.Wait(&transfer.request, MPI_STATUS_IGNORE));
    return std::exchange(transfer, {});
  }

  /// Puts what has arrived, here or in its place, to its use.
  void settle(const Step& step, Piece elsewhere) {
    const Blocks& blocks = step.receive.blocks;
    if (elsewhere.bytes != nullptr) {
      store_.take(blocks, step.on_receive, elsewhere.bytes.get());
      scratch_.give_back(std::move(elsewhere));
    } else if (!is_empty(blocks)) {
      store_.filled(blocks);
    }
    for (const Combination& combination : step.combinations) store_.combine(combination);
  }

  const Execution& execution_;
  const Channel& channel_;
  Store& store_;
  Scratch scratch_;
  Transfer receive_;
  Transfer send_;
};

}  // namespace

void execute(const Execution& execution, Store& store) { Player(execution, store).play(); }

}  // namespace rota::mpi
