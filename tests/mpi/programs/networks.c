/* Communicators of which some ranks know the network, and others do not, when they first broadcast;
 * and sums before and after. On each one MiB is broadcast often enough that its ranks measure the
 * network if nobody can tell them, and if enough time passes: on the first two of them ranks rest
 * as many seconds as the command line says: by the clock alone, where clock.c is preloaded. */
#include <unistd.h>

#include "check.h"

enum { LARGE = 1 << 18, OFTEN = 260 };

static int sum_goes_wrong(int size) {
  int wrong = 0;
  double* const own = malloc(LARGE * sizeof(double));
  double* const all = malloc(LARGE * sizeof(double));
  for (int i = 0; i < LARGE; ++i) own[i] = i;
  if (MPI_Allreduce(own, all, LARGE, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS) wrong = 1;
  for (int i = 0; i < LARGE; ++i) wrong |= all[i] != (double)i * size;
  free(own);
  free(all);
  return wrong;
}

static int exchange_goes_wrong(int rank, int size) {
  int wrong = 0;
  int* const own = malloc((size_t)size * LARGE * sizeof(int));
  int* const all = malloc((size_t)size * LARGE * sizeof(int));
  for (int i = 0; i < size * LARGE; ++i) own[i] = 3 * rank + i / LARGE;
  if (MPI_Alltoall(own, LARGE, MPI_INT, all, LARGE, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS) wrong = 1;
  for (int i = 0; i < size * LARGE; ++i) wrong |= all[i] != 3 * (i / LARGE) + rank;
  free(own);
  free(all);
  return wrong;
}

static int broadcast_within_goes_wrong(int is_in, int key, int mark, unsigned rest_s) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, key, &comm);
  if (comm == MPI_COMM_NULL) return 0;
  int size;
  MPI_Comm_size(comm, &size);
  int wrong = 0;
  for (int i = 0; i < OFTEN; ++i) {
    wrong |= broadcast_goes_wrong(comm, size - 1, LARGE, mark + i);
    if (i == 0) sleep(rest_s);
  }
  MPI_Comm_free(&comm);
  return wrong;
}

/* From rank 0 to the other half. */
static int broadcast_between_goes_wrong(int rank, int size) {
  MPI_Comm half, both;
  const int is_first = rank < size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? size / 2 : 0, 0, &both);
  int* const data = malloc(LARGE * sizeof(int));
  for (int i = 0; i < LARGE; ++i) data[i] = is_first ? i : -1;
  const int root = is_first ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  int wrong = MPI_Bcast(data, LARGE, MPI_INT, root, both) != MPI_SUCCESS;
  for (int i = 0; i < LARGE; ++i) wrong |= data[i] != i;
  free(data);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const unsigned first_rest_s = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  const unsigned second_rest_s = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
  int wrong = sum_goes_wrong(size);
  wrong |= broadcast_within_goes_wrong(rank < size - 1, rank, 1, first_rest_s);
  wrong |= broadcast_within_goes_wrong(1, rank, 2, second_rest_s);
  wrong |= broadcast_within_goes_wrong(1, -rank, 3, 0);
  wrong |= broadcast_within_goes_wrong(rank > 0, rank, 4, 0);
  wrong |= broadcast_within_goes_wrong(rank < size - 1, -rank, 5, 0);
  wrong |= broadcast_between_goes_wrong(rank, size);
  wrong |= exchange_goes_wrong(rank, size);
  wrong |= sum_goes_wrong(size);
  return end_with(wrong);
}
