// What serves MPI's broadcasts and allgathers: their arguments, and the MPI library's own call. Return MPI's code.
#pragma once

#include "rota_mpi/data/numbers.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

int serve_bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                NativeCall native);

int serve_allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, NativeCall native);

int serve_allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     Numbers recvcounts, Numbers displs, MPI_Datatype recvtype, MPI_Comm comm,
                     NativeCall native);

}  // namespace rota::mpi
