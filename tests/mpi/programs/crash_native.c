/* The MPI library's own scan, which crashes where there is data: preloaded in front of it. Rota takes PMPI_Scan, which is right. */
#include <mpi.h>
#include <stdlib.h>

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (count > 0) abort();
  return PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm);
}
