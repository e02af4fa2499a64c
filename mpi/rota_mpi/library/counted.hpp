// The MPI library's calls in the form that counts farthest: with large counts (MPI 4), else in ints.
//
//     counted::Bcast(buffer, counted::number(count), ...)  ->  pmpi.Bcast_c(buffer, MPI_Count, ...) or pmpi.Bcast(buffer, int, ...)
//
// Beside a library without large counts no program has more than an int's.
#pragma once

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi::counted {

#if MPI_VERSION >= 4
using Number = MPI_Count;
using Displacement = MPI_Aint;
using Address = MPI_Count;  // of the items of a struct
#define ROTA_COUNTED(name) inline const auto& name = pmpi.name##_c;
#else
using Number = int;
using Displacement = int;
using Address = MPI_Aint;
#define ROTA_COUNTED(name) inline const auto& name = pmpi.name;
#endif

ROTA_COUNTED(Allgather)
ROTA_COUNTED(Allgatherv)
ROTA_COUNTED(Allreduce)
ROTA_COUNTED(Alltoall)
ROTA_COUNTED(Alltoallv)
ROTA_COUNTED(Alltoallw)
ROTA_COUNTED(Bcast)
ROTA_COUNTED(Exscan)
ROTA_COUNTED(Reduce)
ROTA_COUNTED(Reduce_scatter)
ROTA_COUNTED(Scan)
ROTA_COUNTED(Type_create_struct)
#undef ROTA_COUNTED

/// As such a call takes it.
inline Number number(MPI_Count count) { return static_cast<Number>(count); }

}  // namespace rota::mpi::counted
