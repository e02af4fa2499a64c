// One rank of Rota's executor, as the simulator has it (in_flight.hpp): what it may do next, in the executor's words and order
// (mpi/rota_mpi/play/under_way). It knows its own rounds (window.hpp) and no time; when its messages are over it is told.
#pragma once

#include <cstdint>
#include <vector>

#include "rota/model/simulate.hpp"
#include "rota/model/window.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// One end of a message. It is over some time before the rank has seen that it is.
struct MessageEnd {
  std::int64_t bytes = 0;
  bool is_over = true;
  bool is_seen = true;

  static MessageEnd of(std::int64_t bytes) { return {bytes, bytes == 0, bytes == 0}; }
};

/// One round of a rank.
struct Turn {
  Step step;
  MessageEnd send;
  MessageEnd receive;
  bool has_arrived = false;  // what it sends
};

/// What a rank's processor does next; all but leaving may take time.
enum class Task : std::uint8_t { none, send, settle, arrive, leave };

/// One rank of the executor. Messages of its rounds are known while W + 1 rounds follow.
class Player {
 public:
  Player(RankSchedule steps, Round rounds, Round in_flight);

  Round begun() const { return window_.begun; }
  bool has_sent(Round round) const { return round < window_.sent; }
  /// Has it begun a round, and waits in that for the sender's message?
  bool has_asked(Rank sender, Round round) const;
  bool is_through() const { return window_.is_over(); }
  Turn& turn(Round round) { return turns_[static_cast<std::size_t>(round) % turns_.size()]; }
  const Turn& turn(Round round) const { return turns_[static_cast<std::size_t>(round) % turns_.size()]; }

  bool may_begin() const { return window_.may_begin(); }
  void begin(const BlockBytes& bytes);
  Task next() const;

  /// The round whose turn it is to be sent, settled, ...
  Round& round_of(Task task);

  /// The message that the executor waits for where there is nothing to do.
  const MessageEnd& oldest() const;

  /// Learns whether the first messages that it sent and asked for are over.
  void look();

  /// How many of its messages to that rank, which has begun so many rounds, are there unasked for?
  std::int64_t unasked(Rank receiver, Round begun) const;

 private:
  RankSchedule steps_;
  Window window_;
  std::vector<Turn> turns_;
};

}  // namespace rota
