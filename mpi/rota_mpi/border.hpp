// What every call meets on its way in and out, whatever serves it.
#pragma once

#include <new>
#include <optional>

#include "rota_mpi/mpi.hpp"
#include "rota_mpi/notes.hpp"

namespace rota::mpi {

/// This rank of the program's communicator.
struct Place {
  Rank rank;
  Rank ranks;
};

/// This rank's place; nothing if the communicator is none.
std::optional<Place> place_in(MPI_Comm comm);

/// Is it an inter-communicator? Throws MpiError.
bool is_inter(MPI_Comm comm);

/// Has the type been committed? `returns_errors`: a communicator whose errors are returned.
bool is_committed(MPI_Datatype type, MPI_Comm returns_errors);

/// Takes note, if there is to be a report, of what `action` does.
template <class Action>
int noted(const Action& action) {
  if (!settings().report) {
    Served unnoticed;
    return action(unnoticed);
  }
  const double start_s = PMPI_Wtime();
  Served served;
  const int code = action(served);
  served.seconds = PMPI_Wtime() - start_s;
  take_note(served);
  return code;
}

/// What `action` returns; what fails inside Rota is raised on the program's communicator and returned.
template <class Action>
int raising_on(MPI_Comm comm, const Action& action) {
  const auto raise = [&](int code) {
    PMPI_Comm_call_errhandler(comm, code);
    return code;
  };
  try {
    return action();
  } catch (const MpiError& error) {
    return raise(error.code);
  } catch (const std::bad_alloc&) {
    return raise(MPI_ERR_NO_MEM);
  }
}

}  // namespace rota::mpi
