/* Ten large broadcasts, five large allreduces, three small ones and that of the end; a message to the next
 * rank: what a tool counts. */
#include "check.h"

enum { COUNT = 70000 };

static int sum_goes_wrong(int count) {
  int ranks, wrong = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int *const sent = malloc((size_t)count * sizeof(int)), *const got = malloc((size_t)count * sizeof(int));
  for (int i = 0; i < count; ++i) sent[i] = i;
  MPI_Allreduce(sent, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) wrong |= got[i] != ranks * i;
  free(sent);
  free(got);
  return wrong;
}

static int message_goes_wrong(void) {
  int rank, ranks, got = -1;
  MPI_Request requests[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Irecv(&got, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return got != (rank + ranks - 1) % ranks;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  for (int i = 0; i < 10; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, i % 2, COUNT, i);
  for (int i = 0; i < 5; ++i) wrong |= sum_goes_wrong(COUNT);
  for (int i = 0; i < 3; ++i) wrong |= sum_goes_wrong(2);
  wrong |= message_goes_wrong();
  return end_with(wrong);
}
