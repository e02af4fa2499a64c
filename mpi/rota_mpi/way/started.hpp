// The way of calls that return at once: MPI_Ibcast and its like.
//
//     glance -> look -> decide at once -> join the communicator's queue   ...    open -> prepare -> play -> note -> complete
//                              |                                                 as the MPI library's engine calls (progress.hpp)
//                              +---> the MPI library's own
//
// What is decided is decided by what all ranks know already, for nobody may be waited for: a call goes by a schedule where its
// blocking form has been seen to gain by one on this communicator, or where settings or a profile say so.
#pragma once

#include <memory>

#include "rota_mpi/way/native_call.hpp"
#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// Starts the call by a schedule or natively; the native call's request is then the program's. Returns MPI's
/// code. Throws MpiError, std::bad_alloc.
int start(std::unique_ptr<Operation> operation, MPI_Comm comm, NativeCall native);

}  // namespace rota::mpi
