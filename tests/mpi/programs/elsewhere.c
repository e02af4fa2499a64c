/* elsewhere FOLDER abort|finalize: goes to that folder, broadcasts there, and ends as it is told. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = chdir(argv[1]) != 0;
  for (int i = 0; i < 10; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 1000, i);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && strcmp(argv[2], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  return end_with(wrong);
}
