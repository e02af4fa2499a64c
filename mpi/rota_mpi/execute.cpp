#include "rota_mpi/execute.hpp"

#include <algorithm>
#include <deque>

namespace rota::mpi {

namespace {

// Two ranks exchange Rota's messages in the order of their rounds, and MPI keeps that order: one tag serves
// all.
constexpr int tag = 0;

// Sends are synchronous: one ends when its receiver has taken it. The model's one port is what keeps the pipeline full, and
// nothing else keeps a rank to it: with sends that end in a buffer, ranks run ahead, and what a port is sent early delays
// what it needs now. Three on their way hide the answer's latency. Measured in docs/performance.md.
constexpr Round rounds_ahead = 4;
constexpr std::size_t sends_on_their_way = 3;

/// A message in flight.
struct Flight {
  Round round;
  ByteRange bytes;
  MPI_Request request;
};

class Player {
 public:
  Player(const Execution& execution, Layout& layout) : execution_(execution), layout_(layout) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// When playing failed, nothing may be left that MPI writes into the user's memory later.
  ~Player() {
    for (Flight& receive : receives_) {
      if (receive.request == MPI_REQUEST_NULL) continue;
      PMPI_Cancel(&receive.request);
      PMPI_Wait(&receive.request, MPI_STATUS_IGNORE);
    }
    for (Flight& send : sends_) PMPI_Wait(&send.request, MPI_STATUS_IGNORE);
  }

  void play() {
    for (Round round = 0; round < execution_.rounds; ++round) {
      open_rounds(std::min(execution_.rounds, round + rounds_ahead));
      const Message send = std::move(to_send_.front());
      to_send_.pop_front();
      if (!send.blocks.empty()) pass_on(send, round);
    }
    while (!receives_.empty()) finish_receive(receives_.begin());
    while (!sends_.empty()) finish_oldest_send();
  }

 private:
  /// The bytes of a message, which in the collectives served so far is one block.
  ByteRange range(const Blocks& blocks) const { return execution_.cut.range(blocks.begin()->index); }

  /// Posts the receives of all rounds before `until`, and keeps what these rounds send.
  void open_rounds(Round until) {
    for (; opened_ < until; ++opened_) {
      Step step = execution_.steps(opened_);
      if (!step.receive.blocks.empty()) expect(step.receive);
      to_send_.push_back(std::move(step.send));
    }
  }

  void expect(const Message& message) {
    const ByteRange bytes = range(message.blocks);
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Irecv(layout_.room(bytes), static_cast<int>(bytes.size()), MPI_BYTE, message.peer, tag,
                     execution_.comm, &request));
    receives_.push_back({opened_, bytes, request});
  }

  /// Sends a message as soon as the receives of earlier rounds have brought it, and a send is free.
  void pass_on(const Message& message, Round round) {
    const ByteRange bytes = range(message.blocks);
    for (auto receive = receives_.begin(); receive != receives_.end() && receive->round < round;) {
      receive = receive->bytes.overlaps(bytes) ? finish_receive(receive) : std::next(receive);
    }
    if (sends_.size() == sends_on_their_way) finish_oldest_send();
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Issend(layout_.held(bytes), static_cast<int>(bytes.size()), MPI_BYTE, message.peer, tag,
                      execution_.comm, &request));
    sends_.push_back({round, bytes, request});
  }

  std::deque<Flight>::iterator finish_receive(std::deque<Flight>::iterator receive) {
    check(PMPI_Wait(&receive->request, MPI_STATUS_IGNORE));
    layout_.filled(receive->bytes);
    return receives_.erase(receive);
  }

  void finish_oldest_send() {
    check(PMPI_Wait(&sends_.front().request, MPI_STATUS_IGNORE));
    sends_.pop_front();
  }

  const Execution& execution_;
  Layout& layout_;
  Round opened_ = 0;
  std::deque<Message> to_send_;  // of the rounds opened and not yet played
  std::deque<Flight> receives_;
  std::deque<Flight> sends_;
};

}  // namespace

void execute(const Execution& execution, Layout& layout) { Player(execution, layout).play(); }

}  // namespace rota::mpi
