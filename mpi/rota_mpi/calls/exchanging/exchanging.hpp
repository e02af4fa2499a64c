// What serves MPI's all-to-many calls: their arguments, and the MPI library's own call. Return MPI's code.
#pragma once

#include "rota_mpi/data/numbers.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

int serve_alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, NativeCall native);

int serve_alltoallv(const void* sendbuf, Numbers sendcounts, Numbers sdispls, MPI_Datatype sendtype,
                    void* recvbuf, Numbers recvcounts, Numbers rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                    NativeCall native);

int serve_alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const MPI_Datatype sendtypes[],
                    void* recvbuf, Numbers recvcounts, Numbers rdispls, const MPI_Datatype recvtypes[],
                    MPI_Comm comm, NativeCall native);

int serve_neighbor_alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, NativeCall native);

int serve_neighbor_alltoallv(const void* sendbuf, Numbers sendcounts, Numbers sdispls, MPI_Datatype sendtype,
                             void* recvbuf, Numbers recvcounts, Numbers rdispls, MPI_Datatype recvtype,
                             MPI_Comm comm, NativeCall native);

int serve_neighbor_alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                             const MPI_Datatype sendtypes[], void* recvbuf, Numbers recvcounts,
                             Numbers rdispls, const MPI_Datatype recvtypes[], MPI_Comm comm,
                             NativeCall native);

}  // namespace rota::mpi
