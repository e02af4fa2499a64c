#include "rota_mpi/execute.hpp"

#include <algorithm>
#include <deque>
#include <list>

#include "rota_mpi/scratch.hpp"
#include "rota_mpi/settings.hpp"

namespace rota::mpi {

namespace {

// Two ranks exchange Rota's messages in the order of their rounds, and MPI keeps that order: one tag serves
// all.
constexpr int tag = 0;

// Sends are synchronous: one ends when its receiver has taken it. The model's one port is what keeps the pipeline full, and
// nothing else keeps a rank to it: with sends that end in a buffer, ranks run ahead, and what a port is sent early delays
// what it needs now. Three on their way hide the answer's latency. Measured in docs/performance.md.
constexpr Round rounds_ahead = 4;
constexpr std::size_t default_sends_on_their_way = 3;

std::size_t sends_on_their_way() {
  const std::size_t wanted = settings().sends_on_their_way;
  return wanted > 0 ? wanted : default_sends_on_their_way;
}

// What has arrived and is not needed yet waits in memory; so much of it, then it is put in its place.
constexpr std::size_t most_unfinished = 32;

/// A message to be sent, or on its way.
struct Sending {
  Round round = 0;
  Blocks
      blocks{};  // NOLINT(readability-redundant-member-init): whose memory MPI reads; none where it reads a copy
  Piece copy{};
  MPI_Request request = MPI_REQUEST_NULL;
};

/// What a round brings, from the posted receive to the last combination.
struct Bringing {
  Round round = 0;
  Blocks blocks;
  OnReceive on_receive = OnReceive::store;
  std::vector<Combination> combinations;
  Piece elsewhere{};  // where the message is received, unless that is its place in the store
  MPI_Request request = MPI_REQUEST_NULL;

  bool touches(const Blocks& others) const {
    return blocks.overlaps(others) || std::ranges::any_of(combinations, [&](const Combination& each) {
             return others.contains(each.from) || others.contains(each.into);
           });
  }
  bool touches(const Bringing& other) const {
    return touches(other.blocks) || std::ranges::any_of(other.combinations, [&](const Combination& each) {
             return touches(Blocks(each.from)) || touches(Blocks(each.into));
           });
  }
};

class Player {
 public:
  Player(const Execution& execution, Store& store) : execution_(execution), store_(store) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// When playing failed, nothing may be left that MPI writes into the user's memory later.
  ~Player() {
    for (Bringing& receive : receives_) {
      if (receive.request == MPI_REQUEST_NULL) continue;
      PMPI_Cancel(&receive.request);
      PMPI_Wait(&receive.request, MPI_STATUS_IGNORE);
    }
    for (Sending& send : sends_) PMPI_Wait(&send.request, MPI_STATUS_IGNORE);
  }

  void play() {
    for (Round round = 0; round < execution_.rounds; ++round) {
      open_rounds(std::min(execution_.rounds, round + rounds_ahead));
      const Message send = std::move(to_send_.front());
      to_send_.pop_front();
      if (!is_empty(send.blocks)) pass_on(send, round);
      while (receives_.size() > most_unfinished && receives_.front().round < round) finish(receives_.begin());
    }
    while (!receives_.empty()) finish(receives_.begin());
    while (!sends_.empty()) finish_oldest_send();
  }

 private:
  using Receive = std::list<Bringing>::iterator;

  bool is_empty(const Blocks& blocks) const { return blocks.empty() || store_.bytes(blocks) == 0; }

  /// Posts the receives of all rounds before `until`, and keeps what these rounds send.
  void open_rounds(Round until) {
    for (; opened_ < until; ++opened_) {
      Step step = execution_.steps(opened_);
      // Before the receive: what this round sends is what was there before it.
      to_send_.push_back(std::move(step.send));
      if (!is_empty(step.receive.blocks) || !step.combinations.empty()) expect(step);
    }
  }

  void expect(Step& step) {
    Bringing bringing{.round = opened_,
                      .blocks = std::move(step.receive.blocks),
                      .on_receive = step.on_receive,
                      .combinations = std::move(step.combinations)};
    if (!is_empty(bringing.blocks)) post(step.receive.peer, bringing);
    receives_.push_back(std::move(bringing));
  }

  void post(Rank peer, Bringing& bringing) {
    const std::int64_t size = store_.bytes(bringing.blocks);
    std::byte* place = nullptr;
    if (bringing.on_receive == OnReceive::store && is_free(bringing.blocks))
      place = store_.room(bringing.blocks);
    if (place == nullptr) {
      bringing.elsewhere = scratch_.take(size);
      place = bringing.elsewhere.bytes.get();
    }
    check(PMPI_Irecv(place, static_cast<int>(size), MPI_BYTE, peer, tag, execution_.comm, &bringing.request));
  }

  /// May the memory of these blocks be written from now on? Not while earlier rounds have something to do
  /// with it.
  bool is_free(const Blocks& blocks) const {
    const auto sends_them = [&](const auto& send) { return send.blocks.overlaps(blocks); };
    return std::ranges::none_of(to_send_, sends_them) && std::ranges::none_of(sends_, sends_them) &&
           std::ranges::none_of(receives_, [&](const Bringing& earlier) { return earlier.touches(blocks); });
  }

  /// Sends a message as soon as the receives of earlier rounds have brought it, and a send is free.
  void pass_on(const Message& message, Round round) {
    finish_all_before(round, [&](const Bringing& receive) { return receive.touches(message.blocks); });
    if (sends_.size() == most_sends_) finish_oldest_send();
    const std::int64_t size = store_.bytes(message.blocks);
    Sending send{.round = round};
    const std::byte* bytes = store_.in_place(message.blocks);
    if (bytes == nullptr) {
      send.copy = scratch_.take(size);
      store_.copy_out(message.blocks, send.copy.bytes.get());
      bytes = send.copy.bytes.get();
    } else {
      send.blocks = message.blocks;
    }
    check(PMPI_Issend(bytes, static_cast<int>(size), MPI_BYTE, message.peer, tag, execution_.comm,
                      &send.request));
    sends_.push_back(std::move(send));
  }

  /// Finishes the receives of rounds before `round` that are wanted, the earliest first.
  template <class Wanted>
  void finish_all_before(Round round, const Wanted& wanted) {
    const auto is_due = [&](const Bringing& receive) { return receive.round < round && wanted(receive); };
    for (auto due = std::ranges::find_if(receives_, is_due); due != receives_.end();
         due = std::ranges::find_if(receives_, is_due)) {
      finish(due);
    }
  }

  /// Waits for what a round brings and puts it in its place, after everything that must come before it.
  void finish(Receive receive) {
    finish_all_before(receive->round, [&](const Bringing& earlier) { return earlier.touches(*receive); });
    check(PMPI_Wait(&receive->request, MPI_STATUS_IGNORE));
    wait_for_readers(*receive);
    settle(*receive);
    receives_.erase(receive);
  }

  void settle(Bringing& bringing) {
    if (bringing.elsewhere.bytes != nullptr) {
      store_.take(bringing.blocks, bringing.on_receive, bringing.elsewhere.bytes.get());
      scratch_.give_back(std::move(bringing.elsewhere));
    } else if (!is_empty(bringing.blocks)) {
      store_.filled(bringing.blocks);
    }
    for (const Combination& combination : bringing.combinations) store_.combine(combination);
  }

  /// Ends the sends that read what this round is about to change.
  void wait_for_readers(const Bringing& bringing) {
    const auto reads = [&](const Sending& send) { return bringing.touches(send.blocks); };
    while (std::ranges::any_of(sends_, reads)) finish_oldest_send();
  }

  void finish_oldest_send() {
    check(PMPI_Wait(&sends_.front().request, MPI_STATUS_IGNORE));
    scratch_.give_back(std::move(sends_.front().copy));
    sends_.pop_front();
  }

  const Execution& execution_;
  Store& store_;
  const std::size_t most_sends_ = sends_on_their_way();
  Scratch scratch_;
  Round opened_ = 0;
  std::deque<Message> to_send_;   // of the rounds opened and not yet played
  std::list<Bringing> receives_;  // finished out of order, and from within one another
  std::deque<Sending> sends_;
};

}  // namespace

void execute(const Execution& execution, Store& store) { Player(execution, store).play(); }

}  // namespace rota::mpi
