// MPI as the rest of this room uses it: the MPI library's own functions, through one table; and errors as exceptions, turned back
// into codes at the border.
#pragma once

#include <mpi.h>

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ROTA_HAS_SESSIONS
#endif

namespace rota::mpi {

/// In SimGrid's SMPI, of which Rota is a part of the program, ranks are one process, and waiting takes no
/// time.
#ifdef ROTA_BUILT_INTO_PROGRAM
inline constexpr bool is_time_simulated = true;
#else
inline constexpr bool is_time_simulated = false;
#endif

/// The MPI library's own PMPI functions, whoever else defines these names in the process: Rota's preload
/// library does, so that tools that call them find Rota below. pmpi.Bcast is the MPI library's PMPI_Bcast.
struct MpiFunctions {
#define ROTA_MPI_FUNCTION(name) decltype(&::PMPI_##name) name = nullptr;
#include "rota_mpi/library/mpi_functions.inc"
#undef ROTA_MPI_FUNCTION
};

/// Filled when this library is loaded, which is after the MPI library.
extern const MpiFunctions pmpi;

/// An MPI call inside Rota failed with this code. `is_raised`: MPI has called an error handler of the
/// program's for it; it has for all calls but those on communicators of Rota's own.
struct MpiError {
  int code = MPI_ERR_OTHER;
  bool is_raised = false;
};

/// Of calls on what is the program's: communicators, types, operators, groups.
inline void check(int code) {
  if (code != MPI_SUCCESS) throw MpiError{code, true};
}

/// Of calls on communicators of Rota's own, whose errors no handler of the program's hears of.
inline void check_own(int code) {
  if (code != MPI_SUCCESS) throw MpiError{code};
}

/// The bytes of data in one item, gaps not counted; MPI_UNDEFINED if MPI cannot say. Throws MpiError.
inline MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
#if MPI_VERSION >= 4
  check(pmpi.Type_size_c(type, &size));
#else
  check(pmpi.Type_size_x(type, &size));
#endif
  return size;
}

/// The bytes from one item to the next.
inline MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(pmpi.Type_get_extent(type, &lower_bound, &extent));
  return extent;
}

}  // namespace rota::mpi
