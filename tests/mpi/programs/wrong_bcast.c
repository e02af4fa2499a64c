/* An MPI_Bcast that turns a bit of what comes from another rank, from 40 bytes on: preloaded in place of Rota. */
#include <mpi.h>

int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int rank, bytes, is_inter;
  const int code = PMPI_Bcast(buffer, count, datatype, root, comm);
  if (code != MPI_SUCCESS) return code;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_test_inter(comm, &is_inter);
  PMPI_Type_size(datatype, &bytes);
  if (buffer != MPI_BOTTOM && !is_inter && rank != root && (long)count * bytes >= 40) *(char*)buffer ^= 1;
  return code;
}
