// What fails inside Rota, raised as MPI's own errors are.
#pragma once

#include <new>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// What `action` returns; what fails inside Rota is raised on the program's communicator, if MPI has not done
/// so, and returned.
template <class Action>
int raising_on(MPI_Comm comm, const Action& action) {
  const auto raise = [&](int code) {
    pmpi.Comm_call_errhandler(comm, code);
    return code;
  };
  try {
    return action();
  } catch (const MpiError& error) {
    return error.is_raised ? error.code : raise(error.code);
  } catch (const std::bad_alloc&) {
    return raise(MPI_ERR_NO_MEM);
  }
}

}  // namespace rota::mpi
