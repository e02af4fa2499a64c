/* An exchange of 1 MiB from every rank to each other, and one of 1 MiB to the rank half of all further on. */
#include <mpi.h>
#include <stdlib.h>

enum { mebibyte = 1 << 20 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char* const sent = calloc(size, mebibyte);
  char* const received = calloc(size, mebibyte);
  MPI_Alltoall(sent, mebibyte, MPI_BYTE, received, mebibyte, MPI_BYTE, MPI_COMM_WORLD);
  int* const counts = calloc(size, sizeof *counts);
  int* const offsets = calloc(size, sizeof *offsets);
  counts[(rank + size / 2) % size] = mebibyte;
  MPI_Alltoallv(sent, counts, offsets, MPI_BYTE, received, counts, offsets, MPI_BYTE, MPI_COMM_WORLD);
  free(offsets);
  free(counts);
  free(received);
  free(sent);
  MPI_Finalize();
  return 0;
}
