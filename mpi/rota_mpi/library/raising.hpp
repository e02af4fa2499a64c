// What fails inside Rota, raised as MPI's own errors are.
#pragma once

#include <new>
#include <optional>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// What fails inside Rota in `action`, if anything does.
template <class Action>
std::optional<MpiError> failure_of(const Action& action) {
  try {
    action();
    return {};
  } catch (const MpiError& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return MpiError{MPI_ERR_NO_MEM};
  }
}

/// What `action` returns; what fails inside Rota is raised on the program's communicator, if MPI has not done
/// so, and returned.
template <class Action>
int raising_on(MPI_Comm comm, const Action& action) {
  int code = MPI_SUCCESS;
  const std::optional<MpiError> failure = failure_of([&] { code = action(); });
  if (!failure) return code;
  if (!failure->is_raised) pmpi.Comm_call_errhandler(comm, failure->code);
  return failure->code;
}

/// Where an object that is not there is asked, there is no communicator either whose handler could be: what
/// MPI_COMM_SELF's says. Returns the code.
inline int raise_alone(int code) {
  pmpi.Comm_call_errhandler(MPI_COMM_SELF, code);
  return code;
}

}  // namespace rota::mpi
