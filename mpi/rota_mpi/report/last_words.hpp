// The report, and the trace, of a job that is ended before MPI_Finalize: what one rank has noted, for nobody can be asked any more.
//
//     MPI_Abort, on whichever rank -----------+
//     SIGTERM, SIGINT: the handler on rank 0 -+--> asks --> a thread that has slept until then prints the report
//                                                                   |
//     ends the process <------------ waits for that, a second at most
//
// Where several ranks call MPI_Abort, as programs do that see an error everywhere, one report is enough: each waits for those below it,
// and is ended with the job meanwhile. Its file stays as it is where the launcher then has rank 0 end by a signal, and gives it time.
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

#include "rota/schedule/types.hpp"
#include "rota_mpi/report/lines.hpp"

namespace rota::mpi {

/// From now on this process, of that rank, does `say` where it ends the job, and rank 0 also where it is
/// ended, on a thread of its own; it may throw std::bad_alloc. Other ranks end a moment later than a signal
/// says. Once in a run of MPI. Without the means for a thread nothing is said.
void keep_last_words(std::function<void(Ending)> say, Rank rank);

/// Has them said, if last words are kept here, by a rank that ends the job. May be called in a signal
/// handler.
void say_last_words(Ending ending);

/// From now on all is as without last words.
void forget_last_words();

}  // namespace rota::mpi
