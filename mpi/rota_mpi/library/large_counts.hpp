// Calls with large counts where the MPI library has none: libraries of MPI 3, as MPICH 3 and those that descend from it, of the same ABI
// as MPICH 4; Intel's has some of them.
//
//     pmpi.Bcast_c(buffer, MPI_Count, ...)  ->  the library's, or of its PMPI_Bcast(buffer, int, ...)
//
// Of collectives that return at once those without arrays of counts, which would have to stay; among neighbours none. Rota does not need these,
// and programs find them only if they preload more than their library has (rota.preload).
#pragma once

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// The same table, with calls in the place of those with large counts that the MPI library lacks. Counts that
/// it cannot count are errors then, MPI_ERR_COUNT.
MpiFunctions with_large_counts(MpiFunctions functions);

}  // namespace rota::mpi
