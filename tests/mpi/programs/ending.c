/* An MPI_Scan that crashes and an MPI_Exscan that does not end: preloaded in place of Rota. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  (void)sendbuf, (void)recvbuf, (void)count, (void)datatype, (void)op, (void)comm;
  abort();
}

int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm) {
  (void)sendbuf, (void)recvbuf, (void)count, (void)datatype, (void)op, (void)comm;
  for (;;) sleep(1);
}
