// A schedule under way on one rank: it does what can be done now, again and again, until it is over.
//
// A rank may have W rounds in flight. It begins round r, which is to post its receive, when its own messages of all rounds up to
// r - W have arrived and been taken; with W = 1 it plays one round after the other, as the model's one port does:
//
//     W = 1   send      [0..]   [1..]   [2..]            W = 3   send      [0..][1..][2..]  [3..]
//             receive   [0..]   [1..]   [2..]                    receive   [0..]
//             settle         [0]     [1]     [2]                           [1....]
//                                                                          [2......]
//                                                                settle         [0][1] [2]
//
// Sends are synchronous: one ends when its receiver has begun the same round. So a rank begins a round only when whoever it sent to
// W rounds before has begun that one, and of what it sends to a rank, W messages at most lie there unasked for. So ranks drift W
// rounds apart at most; rota/model/in_flight.hpp says exactly what that means, and its test checks it on every algorithm's schedules.
//
// Sends leave in the order of rounds, and receives are posted in it; so MPI's rule that messages do not overtake each other
// makes one tag enough. What arrives is settled in the order of rounds, so that the same schedule combines in the same order in
// every run; one round behind, so that what a round brings is put to use while the next messages are on their way. What may be done
// next rota/model/window.hpp says, to the simulator too.
//
// Messages of blocking calls within a host go through boxes there (communicators/boxes.hpp), where they fit in, and end when they are
// taken; a send waits for a free box, too, of which one holds a message of a round before. A message that passes on what another one
// has brought, and what the rank has not changed since, is left where that still is. What comes is put to use straight from its box
// where that is its turn, and only else kept elsewhere meanwhile.
//
// Nobody waits forever: of all rounds that some rank has not ended, take the first, r (of exchanges, of the turns that part.hpp
// numbers alike on all ranks). All ranks have ended the rounds before, for which alone round r's sends wait, so each posts what it
// has in round r; and for every message of round r there is its other end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "rota/model/window.hpp"
#include "rota/schedule/schedule.hpp"
#include "rota_mpi/communicators/boxes.hpp"
#include "rota_mpi/communicators/channel.hpp"
#include "rota_mpi/data/scratch.hpp"
#include "rota_mpi/data/store.hpp"
#include "rota_mpi/decide/nap.hpp"
#include "rota_mpi/play/observer.hpp"

namespace rota::mpi {

/// What one rank executes: its steps for so many rounds, over the ranks of a channel, W >= 1 of them in
/// flight, who watches its messages, and how long it sleeps between two looks where it waits (zero: at most
/// while others run, pausing.hpp).
struct Execution {
  RankSchedule steps;
  Round rounds;
  const Channel& channel;
  Round in_flight = 1;
  Observer* observer = &nobody();
  Nanoseconds nap{};
  Boxes* boxes = nullptr;
};

class UnderWay {
 public:
  /// Begins with what the program's memory holds now. The store and the scratch memory stay as long as it
  /// does. Throws MpiError, std::bad_alloc.
  UnderWay(Execution execution, Store& store, Scratch& scratch);
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  /// Of a schedule that is not over, nothing is left that MPI writes into the user's memory later.
  ~UnderWay();

  /// Does all that can be done after what is known to have left and arrived, without waiting, and says
  /// whether all of every round is over. O(W) comparisons of messages' blocks beside the store's and MPI's
  /// work. Throws MpiError, std::bad_alloc.
  bool advance();

  /// Asks whether the oldest messages under way have left and arrived, and says whether any has. Throws
  /// MpiError.
  bool look();

  /// Where advance() has said no: waits until the oldest message under way has left or arrived, and looks
  /// what else has. Throws MpiError.
  void wait();

 private:
  /// A message on its way, by MPI or through a box, and the memory that it needs where the store has none for
  /// it.
  struct Transfer {
    MPI_Request request = MPI_REQUEST_NULL;
    Piece elsewhere{};
    std::int64_t watched = -1;  // as the observer numbers it; negative: its end need not be told
  };

  struct Outgoing : Transfer {
    std::optional<Boxes::Number> in_box;  // until it is taken

    bool is_on_its_way() const { return in_box || request != MPI_REQUEST_NULL; }
  };

  struct Incoming : Transfer {
    bool is_for_box = false;  // until it has been taken from there
    std::byte* place = nullptr;
    std::optional<Boxes::Filling> filling;  // that it came in
    bool is_in_use = false;                 // straight from there

    bool is_on_its_way() const { return is_for_box || request != MPI_REQUEST_NULL; }
  };

  /// What came in a box, and the rank has not changed since.
  struct Brought {
    Blocks blocks;
    Boxes::Filling filling{};
  };

  /// What asks MPI whether a request is over.
  using IsOver = bool (*)(MPI_Request&);

  struct Turn {
    Step step;
    Outgoing send;
    Incoming receive;
  };

  // Each does one thing, if that can be done now.
  bool begin();
  bool send();
  bool settle();
  bool arrive();
  bool leave();

  static void leave_to_mpi(Transfer& transfer);

  bool has_been_taken(Turn& now, IsOver is_request_over) const;
  bool has_come(Turn& now, IsOver is_request_over);
  void receive_from_box(Turn& now, const Boxes::Filling& filling);
  bool look_by(IsOver is_request_over);
  bool is_through_box();
  bool is_by_boxes_alone();
  void wait_at_boxes();
  void sleep_at_boxes();

  Turn& turn(Round round) { return turns_[static_cast<std::size_t>(round) % turns_.size()]; }
  const Step& step_of(Round round) const {
    return turns_[static_cast<std::size_t>(round) % turns_.size()].step;
  }
  std::int64_t bytes_of(const Blocks& blocks) const { return blocks.empty() ? 0 : store_.bytes(blocks); }
  std::byte* place_of(const Step& step);
  bool is_for_box(Rank peer, std::int64_t size) const;
  bool may_settle() const;
  void remember(Turn& now);
  std::byte* room_elsewhere(Transfer& transfer, std::int64_t size);
  void post_receive(Turn& now, std::int64_t size);
  void post_send(Turn& now, std::int64_t size);
  bool leave_in_box(Turn& now, std::int64_t size);
  std::optional<Boxes::Filling> brought_as(const Message& message) const;
  void watch(Transfer& transfer, const Passing& passing) const;
  void tell_end(Transfer& transfer) const;

  Execution execution_;
  Store& store_;
  Scratch& scratch_;
  Window window_;
  std::vector<Turn> turns_;
  std::deque<Brought> brought_;      // lately
  std::int64_t looks_at_boxes_ = 0;  // in vain
};

}  // namespace rota::mpi
