// What serves MPI's reductions and scans: their arguments, and the MPI library's own call. Return MPI's code.
#pragma once

#include "rota_mpi/data/numbers.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

int serve_reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, NativeCall native);

int serve_allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, NativeCall native);

int serve_reduce_scatter(const void* sendbuf, void* recvbuf, Numbers recvcounts, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm, NativeCall native);

int serve_reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                               MPI_Op op, MPI_Comm comm, NativeCall native);

int serve_scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, NativeCall native);

int serve_exscan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, NativeCall native);

}  // namespace rota::mpi
