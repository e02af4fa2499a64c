/* 64 calls of one collective, of as many bytes each time: bcast, alltoall, inter_bcast, ints or doubles (sums of these on all ranks).
 *
 *   competing COLLECTIVE BYTES */
#include <string.h>

#include "check.h"

enum { CALLS = 64 };

static int rank, ranks;

/* Of zeros, which are the same bytes in all types. */
static int sum_goes_wrong(MPI_Datatype type, int bytes) {
  int item_bytes, wrong = 0;
  MPI_Type_size(type, &item_bytes);
  char *const zeros = calloc((size_t)bytes, 1), *const sums = malloc((size_t)bytes);
  memset(sums, 1, (size_t)bytes);
  MPI_Allreduce(zeros, sums, bytes / item_bytes, type, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < bytes; ++i) wrong |= sums[i] != 0;
  free(zeros);
  free(sums);
  return wrong;
}

/* `items` for each rank. */
static int exchange_goes_wrong(int items) {
  int *const sent = malloc((size_t)(ranks * items) * sizeof(int)), *const received = malloc(
                                                                       (size_t)(ranks * items) * sizeof(int));
  int wrong = 0;
  for (int i = 0; i < ranks * items; ++i) sent[i] = rank * 1000 + i / items;
  MPI_Alltoall(sent, items, MPI_INT, received, items, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < ranks * items; ++i) wrong |= received[i] != i / items * 1000 + rank;
  free(sent);
  free(received);
  return wrong;
}

/* From rank 0 to all others. */
static int broadcast_between_goes_wrong(MPI_Comm between, int items) {
  int* const data = malloc((size_t)items * sizeof(int));
  int wrong = 0;
  for (int i = 0; i < items; ++i) data[i] = rank == 0 ? i : -1;
  MPI_Bcast(data, items, MPI_INT, rank == 0 ? MPI_ROOT : 0, between);
  for (int i = 0; i < items; ++i) wrong |= data[i] != i;
  free(data);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const collective = argc == 3 ? argv[1] : "";
  const int bytes = argc == 3 ? atoi(argv[2]) : 0;
  MPI_Comm half, between = MPI_COMM_NULL;
  if (strcmp(collective, "inter_bcast") == 0) {
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 0, &between);
  }
  int wrong = bytes == 0;
  for (int call = 0; call < CALLS; ++call) {
    if (strcmp(collective, "bcast") == 0)
      wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, bytes / (int)sizeof(int), call);
    if (strcmp(collective, "alltoall") == 0) wrong |= exchange_goes_wrong(bytes / ranks / (int)sizeof(int));
    if (strcmp(collective, "inter_bcast") == 0)
      wrong |= broadcast_between_goes_wrong(between, bytes / (int)sizeof(int));
    if (strcmp(collective, "ints") == 0) wrong |= sum_goes_wrong(MPI_INT, bytes);
    if (strcmp(collective, "doubles") == 0) wrong |= sum_goes_wrong(MPI_DOUBLE, bytes);
  }
  return end_with(wrong);
}
