/* Broadcasts of 11 sizes, and three of 128 ints to which the root comes a second late. */
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int count = 1; count <= 2048; count *= 2)
    if (count != 128) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, count, count);
  for (int i = 0; i < 3; ++i) {
    if (rank == 0) sleep(1);
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 128, i);
  }
  return end_with(wrong);
}
