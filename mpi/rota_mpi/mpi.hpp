// MPI as the rest of this room uses it: always by the PMPI names, so that neither Rota's own preload library
// nor a profiler sees Rota's messages as the program's; and with errors as exceptions, turned back into codes
// at the border.
#pragma once

#include <mpi.h>

namespace rota::mpi {

/// An MPI call inside Rota failed with this code.
struct MpiError {
  int code;
};

inline void check(int code) {
  if (code != MPI_SUCCESS) throw MpiError{code};
}

/// The bytes of data in one item, gaps not counted; MPI_UNDEFINED if MPI cannot say. Throws MpiError.
inline MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
#if MPI_VERSION >= 4
  check(PMPI_Type_size_c(type, &size));
#else
  check(PMPI_Type_size_x(type, &size));
#endif
  return size;
}

/// The bytes from one item to the next.
inline MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(type, &lower_bound, &extent));
  return extent;
}

}  // namespace rota::mpi
