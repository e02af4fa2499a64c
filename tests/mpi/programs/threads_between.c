/* Calls between groups from several threads at once, each on inter-communicators of its own, in no step with
 * the others. The error handler of MPI_COMM_WORLD stays the program's. Status 77: the MPI library has no such
 * threads. */
#include <time.h>

#include "lanes.h"

enum { THREADS = 4, TURNS = 3, COUNT = 20000, RANKS_AT_MOST = 8 };

static int world_rank, world_ranks;

/* The size of the first group: lanes of even numbers have halves, the others one rank beside the rest. */
static int first_of(int number) { return number % 2 ? 1 : world_ranks / 2; }

static int value(const Lane* lane, int owner, int i) { return lane->number * 7919 + owner * 104729 + i; }

static int gather_goes_wrong(const Lane* lane, int is_regular) {
  int others, wrong = 0, counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
  const int first = first_of(lane->number), others_first = world_rank < first ? first : 0;
  MPI_Comm_remote_size(lane->comm, &others);
  int *const sent = malloc(COUNT * sizeof(int)), *const got = malloc((size_t)others * COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) sent[i] = value(lane, world_rank, i);
  for (int i = 0; i < others; ++i) counts[i] = COUNT, places[i] = i * COUNT;
  if (is_regular)
    MPI_Allgather(sent, COUNT, MPI_INT, got, COUNT, MPI_INT, lane->comm);
  else
    MPI_Allgatherv(sent, COUNT, MPI_INT, got, counts, places, MPI_INT, lane->comm);
  for (int i = 0; i < others * COUNT; ++i)
    wrong |= got[i] != value(lane, others_first + i / COUNT, i % COUNT);
  free(sent);
  free(got);
  return wrong;
}

static int sum_goes_wrong(const Lane* lane) {
  const int first = first_of(lane->number), is_first = world_rank < first;
  const int begin = is_first ? first : 0, end = is_first ? world_ranks : first;
  int wrong = 0, *const sent = malloc(COUNT * sizeof(int)), *const got = malloc(COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) sent[i] = value(lane, world_rank, i);
  MPI_Allreduce(sent, got, COUNT, MPI_INT, MPI_SUM, lane->comm);
  for (int i = 0; i < COUNT; ++i) {
    for (int owner = begin; owner < end; ++owner) got[i] -= value(lane, owner, i);
    wrong |= got[i] != 0;
  }
  free(sent);
  free(got);
  return wrong;
}

/* From the last rank of one group, or of the other. */
static int broadcast_between_goes_wrong(const Lane* lane, int from_first) {
  const int first = first_of(lane->number), is_sending = (world_rank < first) == from_first;
  const int root = from_first ? first - 1 : world_ranks - 1;
  int wrong = 0, *const data = malloc(COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) data[i] = world_rank == root ? value(lane, root, i) : -1;
  const int root_in_group = from_first ? root : root - first;
  MPI_Bcast(data, COUNT, MPI_INT,
            !is_sending          ? root_in_group
            : world_rank == root ? MPI_ROOT
                                 : MPI_PROC_NULL,
            lane->comm);
  for (int i = 0; !is_sending && i < COUNT; ++i) wrong |= data[i] != value(lane, root, i);
  free(data);
  return wrong;
}

/* Another thread is the first on each rank. */
static void wait_for_others(const Lane* lane) {
  const struct timespec pause = {0, (lane->number + world_rank) % THREADS * 3000000};
  nanosleep(&pause, NULL);
}

static void* calls(void* argument) {
  Lane* const lane = argument;
  for (int turn = 0; turn < TURNS; ++turn) {
    wait_for_others(lane);
    lane->wrong |= gather_goes_wrong(lane, 1);
    lane->wrong |= sum_goes_wrong(lane);
    lane->wrong |= broadcast_between_goes_wrong(lane, turn % 2);
    lane->wrong |= gather_goes_wrong(lane, 0);
  }
  return NULL;
}

static MPI_Comm made(int number) {
  MPI_Comm side, between;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  const int is_first = world_rank < first_of(number);
  MPI_Comm_split(MPI_COMM_WORLD, is_first, world_rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_first ? first_of(number) : 0, 5, &between);
  MPI_Comm_free(&side);
  return between;
}

int main(int argc, char** argv) { return end_of_lanes(argc, argv, THREADS, made, calls); }
