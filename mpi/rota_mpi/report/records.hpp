// What really happened on this rank, call by call and message by message, for the trace: within a memory that is set, and then no more.
//
//     a call by a schedule:  opened when it is played -- its messages, each opened and closed -- closed when it is over
//     a native one:          noted when it is over
//
// Times are this rank's MPI_Wtime. A call or a message that is never over has none for its end: there a job hung, or failed.
#pragma once

#include <cstdint>
#include <vector>

#include "rota_mpi/communicators/channel.hpp"
#include "rota_mpi/play/observer.hpp"
#include "rota_mpi/report/notes.hpp"

namespace rota::mpi {

/// A moment that has not come.
constexpr double never = 0;

/// In place of a record's place.
constexpr std::int64_t no_room = -2;

/// As it travels to rank 0.
struct CallRecord {
  Kind kind{};
  std::int64_t bytes = 0;
  double begin_s = 0;
  double end_s = never;
  double expected_s = 0;  // by the model; 0: nothing is known of the network
  std::int64_t lost = 0;  // messages for which there was no room
  std::int32_t tag = 0;   // of its channel,
  std::int32_t play = 0;  // which it was played on as this one
};

struct MessageRecord {
  double begin_s = 0;
  double end_s = never;
  std::int32_t call = 0;  // its place among the calls
  std::int32_t round = 0;
  std::int32_t peer = 0;
  std::int32_t bytes = 0;
  Way way = Way::sent;
};

/// How much there was no room for.
struct Lost {
  std::int64_t calls = 0;
  std::int64_t messages = 0;
};

struct Records {
  std::vector<CallRecord> calls;
  std::vector<MessageRecord> messages;
  Lost lost;
};

/// From now on this rank keeps what happens, in so many bytes at the most: a quarter for calls, the rest for
/// messages.
void begin_records(std::int64_t bytes);

/// What it has kept by now. May be asked for by any thread, and calls no MPI. Throws std::bad_alloc.
Records own_records();

/// From now on it keeps nothing, and has forgotten all.
void end_records();

/// Keeps a call that is over, by that name of MPI's, or closes the one that was opened for it. Where there is
/// no room, or no memory, it is counted. May be called by several threads.
void record(const char* name, const Served& served);

/// A call that a schedule serves, from when it is played.
class PlayedCall final : public Observer {
 public:
  /// Opens its record, if records are kept, and says so in `served.record`.
  PlayedCall(const char* name, Served& served, const Channel& channel);
  PlayedCall(const PlayedCall&) = delete;
  PlayedCall& operator=(const PlayedCall&) = delete;
  ~PlayedCall() = default;

  /// Who is to watch it; stays where it is.
  Observer* observer() { return call_ < 0 ? &nobody() : this; }

 private:
  std::int64_t begins(const Passing& passing) override;
  void ends(std::int64_t number) override;

  std::int64_t call_ = unrecorded;
};

}  // namespace rota::mpi
