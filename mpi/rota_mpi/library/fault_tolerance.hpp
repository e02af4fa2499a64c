// Jobs that outlive their processes.
#pragma once

namespace rota::mpi {

/// Does the MPI library carry on behind a process that fails (ULFM, `mpirun --with-ft ulfm`)? Then a call's
/// ranks learn of it at different times, some of them only when the program revokes the communicator, and
/// what waits for messages on a communicator of Rota's would not hear of that. To be asked once MPI has
/// begun.
bool may_lose_processes();

}  // namespace rota::mpi
