/* A few calls of many kinds, to be counted by a tool.
 *
 *   profiled FOLDER     each rank's standard error goes into a file there, which no other rank writes into
 *
 * Ends with 1 if any result was wrong. */
#include <unistd.h>

#include "check.h"

enum { COUNT = 1000, MOST = 8 };

static int rank, ranks, sent[COUNT * MOST], received[COUNT * MOST];

static void write_errors_into(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
  if (freopen(path, "w", stderr) == NULL) exit(2);
}

/* The sum over these ranks of what each has at this place. */
static int sum(int from, int end, int place) {
  int result = 0;
  for (int r = from; r < end; ++r) result += r * COUNT + place;
  return result;
}

static int sums_are_wrong(int from, int end) {
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong |= received[i] != sum(from, end, i);
  return wrong;
}

static int shares_are_wrong(void) {
  int wrong = 0;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < COUNT; ++i) wrong |= received[r * COUNT + i] != r * COUNT + i;
  return wrong;
}

static int reductions_go_wrong(MPI_Comm comm) {
  int wrong = 0;
  for (int i = 0; i < 3; ++i) {
    MPI_Allreduce(sent, received, COUNT, MPI_INT, MPI_SUM, comm);
    wrong |= sums_are_wrong(0, ranks);
  }
  for (int i = 0; i < 4; ++i) {
    MPI_Reduce(sent, received, COUNT, MPI_INT, MPI_SUM, i % ranks, comm);
    wrong |= rank == i % ranks && sums_are_wrong(0, ranks);
  }
  MPI_Scan(sent, received, COUNT, MPI_INT, MPI_SUM, comm);
  return wrong | sums_are_wrong(0, rank + 1);
}

static int shares_go_wrong(MPI_Comm comm) {
  int counts[MOST], places[MOST], wrong = 0;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = COUNT;
    places[r] = r * COUNT;
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Allgather(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm);
    wrong |= shares_are_wrong();
    MPI_Allgatherv(sent, COUNT, MPI_INT, received, counts, places, MPI_INT, comm);
    wrong |= shares_are_wrong();
    MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm);
    wrong |= shares_are_wrong();
  }
  return wrong;
}

static int messages_go_wrong(MPI_Comm comm) {
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  int token = rank, other = -1, wrong = 0;
  MPI_Sendrecv(&token, 1, MPI_INT, next, 1, &other, 1, MPI_INT, previous, 1, comm, MPI_STATUS_IGNORE);
  wrong |= other != previous;
  if (rank == 0) MPI_Send(&token, 1, MPI_INT, next, 2, comm);
  if (rank == 1) MPI_Recv(&other, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  return wrong;
}

int main(int argc, char** argv) {
  if (argc > 1) write_errors_into(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < COUNT * ranks; ++i) sent[i] = rank * COUNT + i % COUNT;
  MPI_Comm twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  int wrong = 0;
  for (int i = 0; i < 5; ++i)
    wrong |= broadcast_goes_wrong(i % 2 == 0 ? MPI_COMM_WORLD : twin, i % ranks, COUNT, i);
  wrong |= reductions_go_wrong(MPI_COMM_WORLD);
  wrong |= shares_go_wrong(twin);
  wrong |= messages_go_wrong(twin);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return wrong;
}
