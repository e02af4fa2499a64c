// What a rank does between looks for a message: it lets others run, so that it runs itself as soon as the message is there.
//
//     it runs when it wants to                 look yield look yield look ...
//     others run meanwhile (contention.hpp)    look nap   look nap   look ...
//
// Who looks all the time has run all the time, as the system counts. So where another thread runs on, it waits its turn, slices of
// some milliseconds, whether its message has come or not; and in rounds in lockstep all ranks wait for every turn of each of them:
// beside busy loops schedules took up to fifteen times as long (docs/performance.md). Who sleeps instead is owed time, and runs as
// soon as it wakes. But to wake takes longer than to look again: so who runs when it wants to does not sleep.
//
// Not where ranks outnumber their host's processors: there they are each other's others, and MPI libraries know it, or naps follow
// links' pace (decide/nap.hpp). Nor without a world, where nobody has counted; nor in simulated time, where a look takes some.
#pragma once

#include <optional>

#include "rota_mpi/decide/nap.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// Looks of a thread for messages, in vain, since it let others run last.
class VainLooks {
 public:
  explicit VainLooks(Nanoseconds now) : since_(now) {}

  /// After one more: is it to let others run? Sooner where the library has done so within a look.
  bool one_more_is_enough(Nanoseconds now);
  /// What has passed tells whether others run. It begins anew.
  void end(Nanoseconds now);
  /// The same, but for so long it has slept.
  void end_after(Nanoseconds nap, Nanoseconds now);
  /// What has passed tells nothing. It begins anew.
  void begin(Nanoseconds now) { *this = VainLooks(now); }

 private:
  Nanoseconds since_;
  int count_ = 0;
};

/// One wait of a thread.
class Pausing {
 public:
  /// Is it for this rank to wait so?
  static bool is_of_use();

  Pausing();
  Pausing(const Pausing&) = delete;
  Pausing& operator=(const Pausing&) = delete;
  /// The thread's sleeps are as exact as before.
  ~Pausing();

  /// After a look in vain.
  void pause();
  /// After enough of them.
  void let_others_run();

 private:
  void sleep(Nanoseconds nap);

  VainLooks looks_;
  std::optional<int> slack_ns_;  // the thread's own, if it has another one now
};

/// After a look in vain by the MPI library's engine: so that who waits in the program's own MPI_Wait, of
/// which nobody sees the beginning, waits so too. Who has run for longer than a nap takes between two of them
/// has computed, and does not wait.
void pause_in_engine();

/// Until the request is over, as a rank waits. What MPI says of it.
int wait_for(MPI_Request& request);

/// What ranks of a communicator of the program's agree on, by the MPI library's MPI_Allreduce or MPI_Bcast,
/// waited for as for a message; as the library waits, they would look all the time. Nonblocking on all of
/// them, also where one does not pause, for MPI does not let the one kind meet the other; but in simulated
/// time, where no rank does. Not between groups, whose nonblocking calls MPI libraries get wrong. Throws
/// MpiError.
void allreduce_pausing(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
void bcast_pausing(void* data, int count, MPI_Datatype type, MPI_Comm comm);

}  // namespace rota::mpi
