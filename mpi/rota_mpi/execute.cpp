#include "rota_mpi/execute.hpp"

#include <algorithm>
#include <deque>

namespace rota::mpi {

namespace {

// Two ranks exchange Rota's messages in the order of their rounds, and MPI keeps that order: one tag serves
// all.
constexpr int tag = 0;

// Measured (docs/performance.md): with less the port idles between blocks, with more nothing is gained.
constexpr Round receives_ahead = 4;
constexpr std::size_t sends_on_their_way = 2;

/// A receive that was posted and not yet waited for.
struct Expected {
  Round round;
  Blocks blocks;
  MPI_Request request;
};

class Player {
 public:
  Player(const Execution& execution, Layout& layout) : execution_(execution), layout_(layout) {}

  void play() {
    for (Round round = 0; round < execution_.rounds; ++round) {
      open_rounds(std::min(execution_.rounds, round + receives_ahead));
      const Message send = std::move(to_send_.front());
      to_send_.pop_front();
      if (send.blocks.empty()) continue;
      await_blocks(send.blocks, round);
      start(send);
    }
    while (!expected_.empty()) arrive(expected_.begin());
    while (!sends_.empty()) finish_oldest_send();
  }

 private:
  /// The bytes of a message, which in the collectives served so far is one block.
  ByteRange range(const Blocks& blocks) const { return execution_.cut.range(blocks.begin()->index); }

  /// Posts the receives of all rounds before `until`, and keeps what these rounds send.
  void open_rounds(Round until) {
    for (; opened_ < until; ++opened_) {
      Step step = execution_.steps(opened_);
      if (!step.receive.blocks.empty()) expect(std::move(step.receive));
      to_send_.push_back(std::move(step.send));
    }
  }

  void expect(Message receive) {
    const ByteRange bytes = range(receive.blocks);
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Irecv(layout_.room(bytes), static_cast<int>(bytes.size()), MPI_BYTE, receive.peer, tag,
                     execution_.comm, &request));
    expected_.push_back({opened_, std::move(receive.blocks), request});
  }

  /// Waits for the receives of rounds before `round` that bring any of `blocks`.
  void await_blocks(const Blocks& blocks, Round round) {
    for (auto receive = expected_.begin(); receive != expected_.end() && receive->round < round;) {
      const bool brings = std::ranges::any_of(blocks, [&](Block b) { return receive->blocks.contains(b); });
      receive = brings ? arrive(receive) : std::next(receive);
    }
  }

  std::deque<Expected>::iterator arrive(std::deque<Expected>::iterator receive) {
    check(PMPI_Wait(&receive->request, MPI_STATUS_IGNORE));
    layout_.filled(range(receive->blocks));
    return expected_.erase(receive);
  }

  void start(const Message& send) {
    if (sends_.size() == sends_on_their_way) finish_oldest_send();
    const ByteRange bytes = range(send.blocks);
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Isend(layout_.held(bytes), static_cast<int>(bytes.size()), MPI_BYTE, send.peer, tag,
                     execution_.comm, &request));
    sends_.push_back(request);
  }

  void finish_oldest_send() {
    check(PMPI_Wait(&sends_.front(), MPI_STATUS_IGNORE));
    sends_.pop_front();
  }

  const Execution& execution_;
  Layout& layout_;
  Round opened_ = 0;
  std::deque<Message> to_send_;  // of the rounds opened and not yet played
  std::deque<Expected> expected_;
  std::deque<MPI_Request> sends_;
};

}  // namespace

void execute(const Execution& execution, Layout& layout) { Player(execution, layout).play(); }

}  // namespace rota::mpi
