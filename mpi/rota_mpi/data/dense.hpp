// Do the items of a datatype lie in memory as they would lie packed? Was it made by others?
#pragma once

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// True only if `count` items at an address are, byte by byte, their own packed form. Neither size == extent
/// nor that with a lower bound of 0 is enough: an indexed type can name its parts in another order than they
/// lie in. So only predefined types without gaps, and contiguous ones and duplicates of such, are dense.
/// Throws MpiError.
bool is_dense(MPI_Datatype type);

/// Was it made by others, by the calls for large counts too? Those the program may free; predefined ones,
/// those of Fortran's precisions among them, it may not. Throws MpiError.
bool is_derived(MPI_Datatype type);

}  // namespace rota::mpi
