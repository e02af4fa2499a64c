// Allreduce between two groups: each gets the reduction of the other's data.
#pragma once

#include "rota_mpi/calls/combining/reduction.hpp"

namespace rota::mpi {

/// On an inter-communicator, of so many items. Ranks of both groups must decide alike: what the operator does
/// to the order of operands and, if it is the program's own, how many items there are is compared before a
/// schedule is played.
int serve_allreduce_between(MPI_Comm comm, const Reduction& reduction, MPI_Count count, NativeCall native);

}  // namespace rota::mpi
