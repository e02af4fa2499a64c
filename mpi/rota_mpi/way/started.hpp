// The way of calls that do not block: MPI_Ibcast and its like, and MPI_Bcast_init and its like, which are started again and again.
//
//     MPI_Ibcast:      glance -> look -> decide at once -----> join the communicator's queue   ...   open -> prepare -> play -> note -> complete
//     MPI_Bcast_init:  glance -> look -> decide -> set up                                            as the MPI library's engine calls (progress.hpp)
//     MPI_Start:                                       +-----> join the request's own queue    ...
//
// In a start nobody may be waited for, so it is decided by what all ranks know already: a call goes by a schedule where its blocking form
// has been seen to gain by one on this communicator, or where settings or a profile say so. To set up may wait, so there ranks may
// come to know the network first.
#pragma once

#include <memory>

#include "rota_mpi/way/native_call.hpp"
#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// Why no call that does not block goes by a schedule, on any rank; nullptr: they may.
const char* reason_not_to_start();

/// Starts the call by a schedule or natively; the native call's request is then the program's. Returns MPI's
/// code. Throws MpiError, std::bad_alloc.
int start(std::unique_ptr<Operation> operation, MPI_Comm comm, NativeCall native);

/// The same of a call that is to be started by its request.
int set_up(std::unique_ptr<Operation> operation, MPI_Comm comm, NativeCall native);

/// MPI_Start, MPI_Startall and MPI_Request_free of any requests.
int start_again(MPI_Request* request);
int start_all_again(int count, MPI_Request* requests);
int free_request(MPI_Request* request);

}  // namespace rota::mpi
