/* Makes COUNT communicators, with a large broadcast on each; frees each at once, or keeps all to the end.
 *
 *   crowd COUNT INTS free|keep|split      split: freed, and most have their ranks in another order */
#include <string.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = atoi(argv[1]), ints = atoi(argv[2]), keeps = strcmp(argv[3], "keep") == 0,
            splits = strcmp(argv[3], "split") == 0;
  int rank, ranks, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm* const comms = malloc((size_t)count * sizeof(MPI_Comm));
  for (int i = 0; i < count; ++i) {
    if (splits)
      MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + i) % ranks, &comms[i]);
    else
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    wrong |= broadcast_goes_wrong(comms[i], i % ranks, ints, i);
    if (!keeps) MPI_Comm_free(&comms[i]);
  }
  for (int i = 0; keeps && i < count; ++i) {
    if (i % 100 == 0) wrong |= broadcast_goes_wrong(comms[i], 0, ints, 2 * i);
    MPI_Comm_free(&comms[i]);
  }
  free(comms);
  return end_with(wrong);
}
