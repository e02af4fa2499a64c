/* Some ranks begin a large blocking broadcast while what was started before it on the communicator is not over, and others wait for
 * that first. */
#include "check.h"

enum { COUNT = 1 << 18 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int wrong = broadcast_goes_wrong(MPI_COMM_WORLD, 0, COUNT / 4, 1); /* after it more may be started there */
  int* const data = malloc(COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i : -1;
  MPI_Request request;
  wrong |= MPI_Ibcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  if (rank % 2 != 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, COUNT, 2);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != i;
  free(data);
  return end_with(wrong);
}
