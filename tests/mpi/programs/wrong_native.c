/* The MPI library's own scan, wrong where there is data: preloaded in front of it. Rota takes PMPI_Scan, which is right. */
#include <mpi.h>

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm);
  if (count > 0) *(char*)recvbuf ^= 1;
  return code;
}
