// Which reductions Rota may serve, and in which the order of ranks is nobody's business.
#pragma once

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// Is the operator certainly defined for the type? The program's own operators are for every type; predefined
/// ones by MPI's table (MPI 4.1, Section 6.9.2). What is not known here, the MPI library may
/// know or refuse: it is asked (refusals.hpp).
bool is_defined(MPI_Op op, MPI_Datatype type);

/// Is it one of the program's own operators?
bool is_of_program(MPI_Op op);

/// Is the result the same to the bit, in whatever order values are combined? Certainly so for MPI's own
/// operators on integers, logical values and bytes.
bool is_exact(MPI_Op op, MPI_Datatype type);

}  // namespace rota::mpi
