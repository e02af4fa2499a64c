// The report, and the trace, of a job that is ended before MPI_Finalize: what rank 0 has noted, for nobody can be asked any more.
//
//     MPI_Abort -----------------+
//     SIGTERM, SIGINT: handler --+--> asks --> a thread that has slept until then prints the report
//                                                                   |
//     ends the process <------------ waits for that, a second at most
//
// A signal comes between any two instructions, and programs call MPI_Abort in handlers of their own: who asks may hold any lock, the
// memory allocator's among them. So it does nothing but post a semaphore, look at a flag, and sleep between looks. If the thread
// needs a lock that is held for ever, the second passes, and the job ends as it does without Rota.
//
// A handler stands only where the program has left a signal to its default, and only in a job that wants a report. What the program
// installs before MPI_Init stays, and what it installs later takes its place. When the report is printed, the default is back, and
// the same signal ends the process. A child of the process goes by the default at once.
//
// Who ends a job by a signal sends it to all ranks, and some launchers kill those that are left as soon as one has ended: the other
// ranks wait a moment for rank 0.
#pragma once

#include <functional>

#include "rota_mpi/report/lines.hpp"

namespace rota::mpi {

/// From now on this process, rank 0, does `say` where it is ended, on a thread of its own; it may throw
/// std::bad_alloc. Once in a run of MPI. Without the means for a thread nothing happens.
void keep_last_words(std::function<void(Ending)> say);

/// From now on this process, another rank, ends a moment later than a signal says.
void leave_last_words_to_rank_0();

/// Has them said, if last words are kept here. May be called in a signal handler.
void say_last_words(Ending ending);

/// From now on all is as without last words.
void forget_last_words();

}  // namespace rota::mpi
