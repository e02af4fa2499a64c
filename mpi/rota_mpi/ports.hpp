// One rank's part of an all-to-many schedule as MPI point-to-point messages.
#pragma once

#include "rota_mpi/mail.hpp"
#include "rota_mpi/part.hpp"

namespace rota::mpi {

/// Plays the part over the ranks of `comm`, on which nobody else sends, and returns when every message has
/// left and arrived. Throws MpiError, std::bad_alloc.
///
/// The two ports of a rank work through their transfers apart from each other, one transfer at a time each:
///
///     send      [to 3     ][to 1 ][to 2        ]
///     receive   [from 2 ][from 1        ][from 3   ]
///
/// That is the model by which schedules are chosen (rota/all_to_many_bound.hpp): a transfer starts when its
/// sender's and its receiver's port are free, and a long message holds up nobody but those two. There is no
/// barrier, and no deadlock: of all transfers that are not yet through, one of the earliest round has both
/// its ports free.
void play(const Part& part, Mail& mail, MPI_Comm comm);

}  // namespace rota::mpi
