/* Two lists of ranks of MPI_COMM_WORLD, not in order, as two groups: rota_between, linked with the library. */
#include <rota.h>

#include "check.h"

enum { COUNT = 3000 };

static int gathered_wrong(MPI_Comm between, int own, const int* others, int other_count) {
  int mine[COUNT], *const theirs = malloc((size_t)other_count * COUNT * sizeof(int)), wrong = 0;
  for (int i = 0; i < COUNT; ++i) mine[i] = own * COUNT + i;
  wrong |= rota_allgather(mine, COUNT, MPI_INT, theirs, COUNT, MPI_INT, between) != MPI_SUCCESS;
  for (int i = 0; i < other_count * COUNT; ++i) wrong |= theirs[i] != others[i / COUNT] * COUNT + i % COUNT;
  free(theirs);
  return wrong;
}

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  int rank, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int first[] = {4, 1}, second[] = {3, 0, 5}, twice[] = {0, 4}, none[] = {7};
  MPI_Comm between = MPI_COMM_NULL;
  wrong |= rota_between(MPI_COMM_WORLD, 2, first, 3, second, &between) != MPI_SUCCESS;
  if (rank == 2) wrong |= between != MPI_COMM_NULL;
  if (rank == 1 || rank == 4) wrong |= gathered_wrong(between, rank, second, 3);
  if (rank == 0 || rank == 3 || rank == 5) wrong |= gathered_wrong(between, rank, first, 2);
  if (between != MPI_COMM_NULL) MPI_Comm_free(&between);
  wrong |= rota_between(MPI_COMM_WORLD, 2, first, 2, twice, &between) == MPI_SUCCESS;
  wrong |= rota_between(MPI_COMM_WORLD, 2, first, 1, none, &between) == MPI_SUCCESS;
  wrong |= rota_between(MPI_COMM_WORLD, 0, first, 3, second, &between) == MPI_SUCCESS;
  int any_wrong = 0;
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  rota_finalize();
  return any_wrong;
}
