// The MPI library's progress engine, which can be asked to call Rota whenever the program is in an MPI call that waits or tests.
//
//     MPI_Wait, MPI_Test, MPI_Recv, ...  -->  the library's engine  -->  its networks
//                                                                   -->  Rota's function
//
//   Open MPI   opal_progress_register: by any thread, and again while the function itself is in MPI
//   MPICH      MPIX_Async_start, from 4.2 on: the function must not have the engine called, so messages are asked for by
//              MPIX_Request_is_complete; and a lock is held meanwhile, so not under MPI_THREAD_MULTIPLE
//
// Both are looked for at run time. An MPI library that has neither, as MPICH's for the MPI-5 ABI, has no hook.
#pragma once

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// Is there a hook, for as many threads as the program has asked MPI for? After MPI_Init. Throws MpiError.
bool has_progress_hook();

/// From now on the engine calls this function, always the same one, until it says that nothing is left to be
/// done. It throws nothing.
void hook_progress(bool (*advance)());

/// Is a request of Rota's own over? Then it is MPI_REQUEST_NULL. Where there is a hook, it may be asked for
/// there. Throws MpiError.
bool is_over(MPI_Request& request);

}  // namespace rota::mpi
