/* One call of every kind that Rota serves: blocking, two that return at once on two communicators, one that is started three times,
 * between two groups. Before them some broadcasts of 999 bytes; of each it prints the time by the machine's
 * one clock:
 *
 *   clock RANK SECONDS
 */
#include <time.h>

#include "check.h"

enum { COUNT = 2500, RANKS_AT_MOST = 16, MARKS = 20, STARTS = 3 };

static int rank, ranks;
static long sent[RANKS_AT_MOST * COUNT], received[RANKS_AT_MOST * COUNT], more[COUNT];
static int counts[RANKS_AT_MOST], places[RANKS_AT_MOST];

static void mark_times(void) {
  double at[MARKS];
  char bytes[999] = "";
  for (int i = 0; i < MARKS; ++i) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    at[i] = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    MPI_Bcast(bytes, (int)sizeof bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < MARKS; ++i) printf("clock %d %.9f\n", rank, at[i]);
  fflush(stdout);
}

static void block(void) {
  MPI_Bcast(sent, COUNT, MPI_LONG, 1, MPI_COMM_WORLD);
  MPI_Reduce(sent, received, COUNT, MPI_LONG, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Allreduce(sent, received, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(sent, COUNT, MPI_LONG, received, COUNT, MPI_LONG, MPI_COMM_WORLD);
  MPI_Allgatherv(sent, COUNT, MPI_LONG, received, counts, places, MPI_LONG, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(sent, received, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(sent, received, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(sent, received, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoall(sent, COUNT, MPI_LONG, received, COUNT, MPI_LONG, MPI_COMM_WORLD);
  MPI_Alltoallv(sent, counts, places, MPI_LONG, received, counts, places, MPI_LONG, MPI_COMM_WORLD);
}

static void start(void) {
  MPI_Comm other;
  MPI_Request requests[2], again;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Ibcast(more, COUNT, MPI_LONG, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(sent, received, COUNT, MPI_LONG, MPI_SUM, other, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Bcast_init(more, COUNT, MPI_LONG, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &again);
  for (int i = 0; i < STARTS; ++i) {
    MPI_Start(&again);
    MPI_Wait(&again, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&again);
  MPI_Comm_free(&other);
}

static void between(void) {
  MPI_Comm half, both;
  const int is_first = rank < ranks / 2;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? ranks / 2 : 0, 5, &both);
  MPI_Allreduce(sent, received, COUNT, MPI_LONG, MPI_SUM, both);
  MPI_Allgather(sent, is_first ? COUNT : 0, MPI_LONG, received, is_first ? 0 : COUNT, MPI_LONG, both);
  MPI_Bcast(more, COUNT, MPI_LONG, is_first ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = COUNT;
    places[r] = r * COUNT;
  }
  mark_times();
  block();
  start();
  between();
  return end_with(0);
}
