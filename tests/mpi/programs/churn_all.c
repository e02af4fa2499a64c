/* Makes a communicator, calls on it what Rota serves, in turn one of several collectives, some of which return at
 * once or are set up, and frees it, TIMES times; every BETWEEN-th time with an inter-communicator beside it.
 * Rank 0 prints by how many KiB its memory grew in the second half. */
#include <unistd.h>

#include "check.h"

enum { COUNT = 100, BETWEEN = 8, RANKS_AT_MOST = 8 };

static int rank, ranks;

static long resident_kib(void) {
  long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) abort();
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int exchange_goes_wrong(MPI_Comm comm, int mark) {
  int sent[RANKS_AT_MOST * COUNT], got[RANKS_AT_MOST * COUNT], counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
  int wrong = 0;
  for (int peer = 0; peer < ranks; ++peer) counts[peer] = COUNT - peer - rank, places[peer] = peer * COUNT;
  for (int i = 0; i < ranks * COUNT; ++i) sent[i] = mark + rank * ranks * COUNT + i, got[i] = -1;
  wrong |= MPI_Alltoallv(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, comm) != MPI_SUCCESS;
  for (int i = 0; i < ranks * COUNT; ++i) {
    const int peer = i / COUNT, item = i % COUNT;
    wrong |= got[i] != (item < counts[peer] ? mark + (peer * ranks + rank) * COUNT + item : -1);
  }
  return wrong;
}

static int sum_goes_wrong(MPI_Comm comm, int mark) {
  int sent[COUNT], got[COUNT], wrong = 0;
  for (int i = 0; i < COUNT; ++i) sent[i] = mark + i;
  wrong |= MPI_Allreduce(sent, got, COUNT, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS;
  for (int i = 0; i < COUNT; ++i) wrong |= got[i] != ranks * (mark + i);
  return wrong;
}

/* A type is freed while they are under way; their communicator is not, for Open MPI 5.0.11 crashes then on its own. */
static int at_once_goes_wrong(MPI_Comm comm, int mark) {
  MPI_Datatype pair;
  MPI_Request requests[2];
  int sent[COUNT], got[COUNT], data[COUNT], wrong = 0;
  for (int i = 0; i < COUNT; ++i) sent[i] = mark + i, data[i] = rank == 0 ? mark - i : -1;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  wrong |= MPI_Iallreduce(sent, got, COUNT, MPI_INT, MPI_SUM, comm, &requests[0]) != MPI_SUCCESS;
  wrong |= MPI_Ibcast(data, COUNT / 2, pair, 0, comm, &requests[1]) != MPI_SUCCESS;
  MPI_Type_free(&pair);
  wrong |= MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
  for (int i = 0; i < COUNT; ++i) wrong |= got[i] != ranks * (mark + i) || data[i] != mark - i;
  return wrong;
}

/* Started twice; another, never. */
static int set_up_goes_wrong(MPI_Comm comm, int mark) {
  MPI_Request sum, unused;
  int sent[COUNT] = {0}, got[COUNT], wrong = 0;
  wrong |= MPI_Allreduce_init(sent, got, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &sum) != MPI_SUCCESS;
  wrong |= MPI_Bcast_init(sent, COUNT, MPI_INT, 0, comm, MPI_INFO_NULL, &unused) != MPI_SUCCESS;
  for (int start = 0; start < 2; ++start) {
    for (int i = 0; i < COUNT; ++i) sent[i] = mark + start + i;
    wrong |= MPI_Start(&sum) != MPI_SUCCESS;
    wrong |= MPI_Wait(&sum, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    for (int i = 0; i < COUNT; ++i) wrong |= got[i] != ranks * (mark + start + i);
  }
  MPI_Request_free(&sum);
  MPI_Request_free(&unused);
  return wrong;
}

/* Rank 0, and the others. */
static int between_goes_wrong(MPI_Comm comm, int mark) {
  MPI_Comm side, between;
  int data[COUNT], got[RANKS_AT_MOST * COUNT], wrong = 0;
  MPI_Comm_split(comm, rank == 0, rank, &side);
  MPI_Intercomm_create(side, 0, comm, rank == 0 ? 1 : 0, 5, &between);
  for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? mark + i : -1;
  wrong |= MPI_Bcast(data, COUNT, MPI_INT, rank == 0 ? MPI_ROOT : 0, between) != MPI_SUCCESS;
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != mark + i;
  wrong |= MPI_Allgather(data, COUNT, MPI_INT, got, COUNT, MPI_INT, between) != MPI_SUCCESS;
  const int others = rank == 0 ? ranks - 1 : 1;
  for (int i = 0; i < others * COUNT; ++i) wrong |= got[i] != mark + i % COUNT;
  MPI_Comm_free(&between);
  MPI_Comm_free(&side);
  return wrong;
}

static int goes_wrong(MPI_Comm comm, int turn) {
  int wrong = turn % BETWEEN == 0 && between_goes_wrong(comm, turn);
  switch (turn % 5) {
    case 0:
      return wrong | broadcast_goes_wrong(comm, turn % ranks, COUNT, turn);
    case 1:
      return wrong | exchange_goes_wrong(comm, turn);
    case 2:
      return wrong | at_once_goes_wrong(comm, turn);
    case 3:
      return wrong | set_up_goes_wrong(comm, turn);
    default:
      return wrong | sum_goes_wrong(comm, turn);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int times = atoi(argv[1]);
  int wrong = 0;
  long halfway_kib = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int turn = 0; turn < times; ++turn) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    wrong |= goes_wrong(comm, turn);
    MPI_Comm_free(&comm);
    if (turn == times / 2) halfway_kib = resident_kib();
  }
  if (rank == 0) printf("grew KiB: %ld\n", resident_kib() - halfway_kib);
  return end_with(wrong);
}
