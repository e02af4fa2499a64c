/* Five broadcasts of 1000 bytes, two of 100, one of nothing, one of 2000 by half of the ranks. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 5; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, i % size, 250, i);
  for (int i = 0; i < 2; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, i % size, 25, i);
  wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 0, 0);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &half);
  if (half != MPI_COMM_NULL) wrong |= broadcast_goes_wrong(half, 1, 500, 3);
  return end_with(wrong);
}
