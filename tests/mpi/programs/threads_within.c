/* Large collectives from several threads at once, each on a communicator of its own with the same ranks, in
 * no step with the others. Status 77: the MPI library has no such threads. */
#include <time.h>

#include "lanes.h"

enum { THREADS = 4, TURNS = 3, COUNT = 66000, RANKS_AT_MOST = 8 };

static int sum_goes_wrong(const Lane* lane) {
  int wrong = 0, *const sent = malloc(COUNT * sizeof(int)), *const got = malloc(COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) sent[i] = lane->rank * lane->number + i;
  MPI_Allreduce(sent, got, COUNT, MPI_INT, MPI_SUM, lane->comm);
  const int of_ranks = lane->number * (lane->ranks * (lane->ranks - 1) / 2);
  for (int i = 0; i < COUNT; ++i) wrong |= got[i] != of_ranks + lane->ranks * i;
  free(sent);
  free(got);
  return wrong;
}

static int exchange_goes_wrong(const Lane* lane) {
  int wrong = 0, counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
  const size_t bytes = (size_t)lane->ranks * COUNT * sizeof(int);
  int *const sent = malloc(bytes), *const got = malloc(bytes);
  for (int peer = 0; peer < lane->ranks; ++peer) {
    counts[peer] = COUNT, places[peer] = peer * COUNT;
    for (int i = 0; i < COUNT; ++i) sent[peer * COUNT + i] = lane->number * 7919 + lane->rank * 97 + peer + i;
  }
  MPI_Alltoallv(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, lane->comm);
  for (int i = 0; i < lane->ranks * COUNT; ++i)
    wrong |= got[i] != lane->number * 7919 + i / COUNT * 97 + lane->rank + i % COUNT;
  free(sent);
  free(got);
  return wrong;
}

/* Two at once that return at once. */
static int started_goes_wrong(const Lane* lane, int root) {
  int wrong = 0, *const summed = malloc(COUNT * sizeof(int)), *const told = malloc(COUNT * sizeof(int));
  MPI_Request requests[2];
  for (int i = 0; i < COUNT; ++i) {
    summed[i] = lane->rank + i;
    told[i] = lane->rank == root ? lane->number + i : -1;
  }
  MPI_Iallreduce(MPI_IN_PLACE, summed, COUNT, MPI_INT, MPI_SUM, lane->comm, &requests[0]);
  MPI_Ibcast(told, COUNT, MPI_INT, root, lane->comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  const int of_ranks = lane->ranks * (lane->ranks - 1) / 2;
  for (int i = 0; i < COUNT; ++i)
    wrong |= summed[i] != of_ranks + lane->ranks * i || told[i] != lane->number + i;
  free(summed);
  free(told);
  return wrong;
}

/* Another thread is the first on each rank. */
static void* calls(void* argument) {
  Lane* const lane = argument;
  int world_rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  for (int turn = 0; turn < TURNS; ++turn) {
    nanosleep(&(struct timespec){0, (lane->number + world_rank) % THREADS * 3000000}, NULL);
    lane->wrong |= broadcast_goes_wrong(lane->comm, turn % lane->ranks, COUNT, lane->number * 1000 + turn);
    lane->wrong |= sum_goes_wrong(lane);
    lane->wrong |= started_goes_wrong(lane, turn % lane->ranks);
    lane->wrong |= exchange_goes_wrong(lane);
  }
  return NULL;
}

/* Two duplicates of MPI_COMM_WORLD beside it, and one with its ranks in another order. */
static MPI_Comm made(int number) {
  int world_rank;
  MPI_Comm reversed;
  if (number == 0) return MPI_COMM_WORLD;
  if (number < 3) return duplicate(number);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reversed);
  return reversed;
}

int main(int argc, char** argv) { return end_of_lanes(argc, argv, THREADS, made, calls); }
