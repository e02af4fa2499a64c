/* Collectives that are set up once and started again and again, on data that change, beside persistent messages.
 *
 *   persistent STARTS
 *
 * Its status is 1 if any rank's data are wrong in any of the starts. */
#include "check.h"

enum { COUNT = 2500, COLLECTIVES = 7, ALL = COLLECTIVES + 2, RANKS_AT_MOST = 16 };

static int rank, ranks;
static long told[COUNT], sent[RANKS_AT_MOST * COUNT], in_place[COUNT], summed[COUNT], prefixes[COUNT],
    gathered[RANKS_AT_MOST * COUNT], share[COUNT], exchanged[RANKS_AT_MOST * COUNT], came;

static long value(int of, int i, int turn) { return of * 100003L + i * 7L + turn; }

static void set_up(MPI_Request* requests) {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Bcast_init(told, COUNT / 2, pair, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Type_free(&pair);
  MPI_Allreduce_init(MPI_IN_PLACE, in_place, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &requests[1]);
  MPI_Reduce_init(sent, summed, COUNT, MPI_LONG, MPI_SUM, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                  &requests[2]);
  MPI_Scan_init(sent, prefixes, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[3]);
  MPI_Allgather_init(sent, COUNT, MPI_LONG, gathered, COUNT, MPI_LONG, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &requests[4]);
  MPI_Reduce_scatter_block_init(sent, share, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                &requests[5]);
  MPI_Alltoall_init(sent, COUNT, MPI_LONG, exchanged, COUNT, MPI_LONG, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &requests[6]);
  MPI_Send_init(&sent[1], 1, MPI_LONG, (rank + 1) % ranks, 3, MPI_COMM_WORLD, &requests[7]);
  MPI_Recv_init(&came, 1, MPI_LONG, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &requests[8]);
}

static void fill(int turn) {
  for (int i = 0; i < ranks * COUNT; ++i) sent[i] = value(rank, i, turn);
  for (int i = 0; i < COUNT; ++i) {
    told[i] = rank == 0 ? value(0, i, turn) : -1;
    in_place[i] = sent[i];
    summed[i] = prefixes[i] = share[i] = -1;
  }
  for (int i = 0; i < ranks * COUNT; ++i) gathered[i] = exchanged[i] = -1;
  came = -1;
}

static long sum_up_to(int last, int i, int turn) {
  long sum = 0;
  for (int r = 0; r <= last; ++r) sum += value(r, i, turn);
  return sum;
}

static int is_wrong(int turn) {
  int wrong = came != value((rank + ranks - 1) % ranks, 1, turn);
  for (int i = 0; i < COUNT; ++i) {
    wrong |= told[i] != value(0, i, turn);
    wrong |= in_place[i] != sum_up_to(ranks - 1, i, turn);
    wrong |= rank == ranks - 1 && summed[i] != sum_up_to(ranks - 1, i, turn);
    wrong |= prefixes[i] != sum_up_to(rank, i, turn);
    wrong |= share[i] != sum_up_to(ranks - 1, rank * COUNT + i, turn);
    for (int r = 0; r < ranks; ++r) {
      wrong |= gathered[r * COUNT + i] != value(r, i, turn);
      wrong |= exchanged[r * COUNT + i] != value(r, rank * COUNT + i, turn);
    }
  }
  return wrong;
}

/* Each rank begins with another one, and all make a blocking call when it has started some. */
static int start_in_own_order(MPI_Request* requests, int turn) {
  int wrong = 0;
  for (int i = 0; i < ALL; ++i) {
    if (i == rank % ALL) wrong = broadcast_goes_wrong(MPI_COMM_WORLD, 0, COUNT, turn);
    MPI_Start(&requests[(rank + i * (1 + rank % 2)) % ALL]);
  }
  return wrong;
}

/* All at once, one by one in orders that differ between ranks, or some after the end of the others. Not by MPI_Testall, which in
 * MPICH 5.0.2 fails on persistent collectives of its own. */
static int run(int turn, MPI_Request* requests) {
  int wrong = 0;
  if (turn % 3 == 0) {
    MPI_Startall(ALL, requests);
    MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
    return wrong;
  }
  const int first = turn % 3 == 1 ? ALL : COLLECTIVES - 2;
  if (turn % 3 == 1) {
    wrong = start_in_own_order(requests, turn);
  } else {
    for (int i = 0; i < first; ++i) MPI_Start(&requests[i]);
  }
  for (int i = 0; i < first; ++i) {
    int is_over = 0;
    while (!is_over) MPI_Test(&requests[i], &is_over, MPI_STATUS_IGNORE);
  }
  for (int i = first; i < ALL; ++i) MPI_Start(&requests[i]);
  for (int i = first; i < ALL; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Request requests[ALL];
  int wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  set_up(requests);
  const int starts = atoi(argv[1]);
  for (int turn = 0; turn < starts; ++turn) {
    fill(turn);
    wrong |= run(turn, requests);
    wrong |= is_wrong(turn);
  }
  for (int i = 0; i < ALL; ++i) {
    wrong |= requests[i] == MPI_REQUEST_NULL;
    MPI_Request_free(&requests[i]);
    wrong |= requests[i] != MPI_REQUEST_NULL;
  }
  return end_with(wrong);
}
