/* Rota's collectives, each wrong in a way of its own where there is data: preloaded in front of librota. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

/* One bit, from five items on. */
int rota_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
  const int code = PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
  if (count >= 5) *(char*)recvbuf ^= 1;
  return code;
}

/* Right the first time only. */
int rota_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm) {
  static int calls = 0;
  int rank;
  PMPI_Comm_rank(comm, &rank);
  const int code = PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
  if (rank == root && count > 0 && ++calls % 2 == 0) *(char*)recvbuf ^= 1;
  return code;
}

/* The byte in front of the buffer. */
int rota_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
  if (count > 0) ((char*)recvbuf)[-1] ^= 1;
  return PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm);
}

/* The send buffer. */
int rota_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  const int code = PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  if (sendcount > 0) *(char*)sendbuf ^= 1;
  return code;
}

/* Reports a fault where there is none. */
int rota_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
  return recvcount > 0 ? MPI_ERR_COUNT : code;
}

/* The last byte. */
int rota_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  int ranks, bytes;
  PMPI_Comm_size(comm, &ranks);
  PMPI_Type_size(recvtype, &bytes);
  const int code = PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  if (recvcount > 0) ((char*)recvbuf)[ranks * recvcount * bytes - 1] ^= 1;
  return code;
}

/* What the first rank sends to itself, where that is larger than what it sends to others: a plan for another pattern. */
int rota_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                   MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  const int code =
      PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
  if (rank == 0 && recvcounts[0] > recvcounts[1]) *(char*)recvbuf ^= 1;
  return code;
}

/* The byte in front of all data on the second rank. */
int rota_alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const int rdispls[],
                   const MPI_Datatype recvtypes[], MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  if (rank == 1) ((char*)recvbuf)[-1] ^= 1;
  return PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                        comm);
}

int rota_scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  (void)sendbuf, (void)recvbuf, (void)count, (void)datatype, (void)op, (void)comm;
  abort();
}

int rota_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  (void)buffer, (void)count, (void)datatype, (void)root, (void)comm;
  for (;;) pause();
}
