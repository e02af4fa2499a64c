// One rank's steps as MPI point-to-point messages.
#pragma once

#include "rota/schedule.hpp"
#include "rota_mpi/mpi.hpp"
#include "rota_mpi/store.hpp"

namespace rota::mpi {

/// What one rank executes: its steps for so many rounds, over the ranks of `comm`, on which nobody else
/// sends.
struct Execution {
  RankSchedule steps;
  Round rounds;
  MPI_Comm comm;
};

/// Plays all rounds and returns when every message has left and arrived. Throws MpiError, std::bad_alloc.
///
/// Rounds are not synchronised. Receives are posted several rounds ahead, in order; a send waits for just
/// those earlier receives that bring its blocks; and the next rounds go on while a few sends are still on
/// their way:
///
///     round        0    1    2    3    4
///     receive      [posted ahead ...........]
///     send              [on its way]
///                            [on its way]          so the port is never idle between two blocks
///
/// What arrives is combined when it is needed, always in the order of rounds where two rounds change one
/// block: the same schedule combines in the same order in every run. Messages of which all blocks are empty
/// are not sent.
void execute(const Execution& execution, Store& store);

}  // namespace rota::mpi
