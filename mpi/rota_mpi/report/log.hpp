// Lines on standard error while the program runs: what was decided of each call, and when it was over (ROTA_LOG).
//
//     rota[0]: bcast of 4 MiB among 8 ranks: circulant, 69 blocks, 71 rounds
//     rota[0]: bcast of 4 MiB among 8 ranks: over after 372.4 ms
//     rota[0]: allreduce of 8 B among 8 ranks: native, small
//
// In brackets the rank in MPI_COMM_WORLD. A line is one write, so that ranks' lines do not mix. It comes when the decision has been made,
// before anybody waits for a message: the last lines of a job that hangs say where.
#pragma once

#include "rota_mpi/report/notes.hpp"

namespace rota::mpi {

/// Says what serves a call, if the user wants to hear it from this rank. May be called from several threads.
void log_decision(const char* name, const Served& served);

/// Says that it is over, and what it took, if the user wants to hear that too.
void log_end(const char* name, const Served& served);

}  // namespace rota::mpi
