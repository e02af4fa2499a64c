/* Collectives of which one rank's data is the device's.
 *
 *   device_memory DRIVER early|late     a stand-in (driver.c), loaded before MPI_Init or after it; - for none.
 *                                     An odd number of ranks, 3 or more
 *
 * Each collective three times: with all data the host's; what rank 0 sends the device's; what the last rank
 * receives. Where a rank's argument does not count, it points nowhere; nobody may ask what memory that is.
 * Ends with 1 if any result was wrong. */
#include <dlfcn.h>
#include <string.h>

#include "check.h"

enum { COUNT = 500, MOST = 8, TURNS = 3 };

static int rank, ranks, last;
static int host[2][COUNT * MOST], device[COUNT * MOST];
static int* const nowhere = (int*)64;

static int value(int from, int item) { return from * 1000 + item; }

static int sum(int ranks_before, int item) {
  int result = 0;
  for (int r = 0; r < ranks_before; ++r) result += value(r, item);
  return result;
}

static int is_not(const int* found, int expected_of(int, int), int parameter) {
  for (int i = 0; i < COUNT; ++i)
    if (found[i] != expected_of(parameter, i)) return 1;
  return 0;
}

static int gathered_wrong(const int* found, int first) {
  int wrong = 0;
  for (int r = first; r < ranks; ++r) wrong |= is_not(found + (r - first) * COUNT, value, r);
  return wrong;
}

static int bcast(int* sent, int* received) {
  int* const buffer = rank == 0 ? sent : received;
  MPI_Bcast(buffer, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
  return is_not(buffer, value, 0);
}

static int absolute_bcast(int* sent, int* received) {
  int* const buffer = rank == 0 ? sent : received;
  const int count = COUNT;
  MPI_Aint address;
  MPI_Datatype type;
  MPI_Get_address(buffer, &address);
  MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  return is_not(buffer, value, 0);
}

static int reduce(int* sent, int* received) {
  MPI_Reduce(sent, rank == last ? received : nowhere, COUNT, MPI_INT, MPI_SUM, last, MPI_COMM_WORLD);
  return rank == last && is_not(received, sum, ranks);
}

static int allreduce(int* sent, int* received) {
  MPI_Allreduce(sent, received, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return is_not(received, sum, ranks);
}

static int allreduce_in_place(int* sent, int* received) {
  memcpy(received, sent, COUNT * sizeof *sent);
  MPI_Allreduce(MPI_IN_PLACE, received, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return is_not(received, sum, ranks);
}

static int allgather(int* sent, int* received) {
  MPI_Allgather(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, MPI_COMM_WORLD);
  return gathered_wrong(received, 0);
}

/* Rank 0 has nothing. */
static int allgatherv(int* sent, int* received) {
  int counts[MOST], places[MOST];
  for (int r = 0; r < ranks; ++r) {
    counts[r] = r == 0 ? 0 : COUNT;
    places[r] = r == 0 ? 0 : (r - 1) * COUNT;
  }
  MPI_Allgatherv(rank == 0 ? nowhere : sent, counts[rank], MPI_INT, received, counts, places, MPI_INT,
                 MPI_COMM_WORLD);
  return gathered_wrong(received, 1);
}

static int reduce_scatter(int* sent, int* received) {
  MPI_Reduce_scatter_block(sent, received, COUNT / MOST, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int wrong = 0;
  for (int i = 0; i < COUNT / MOST; ++i) wrong |= received[i] != sum(ranks, rank * (COUNT / MOST) + i);
  return wrong;
}

static int scan(int* sent, int* received) {
  MPI_Scan(sent, received, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return is_not(received, sum, rank + 1);
}

static int exscan(int* sent, int* received) {
  MPI_Exscan(sent, rank == 0 ? nowhere : received, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return rank > 0 && is_not(received, sum, rank);
}

static int alltoall(int* sent, int* received) {
  for (int r = 1; r < ranks; ++r) memcpy(sent + r * COUNT, sent, COUNT * sizeof *sent);
  MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, MPI_COMM_WORLD);
  return gathered_wrong(received, 0);
}

/* Between two groups: the ranks with even numbers, among them the last, and those with odd ones. */
static MPI_Comm between;

static int sum_of_others(int others, int item) {
  int result = 0;
  for (int r = others; r < ranks; r += 2) result += value(r, item);
  return result;
}

static int bcast_between(int* sent, int* received) {
  int* const buffer = rank == 0 ? sent : rank % 2 == 0 ? nowhere : received;
  const int root = rank == 0 ? MPI_ROOT : rank % 2 == 0 ? MPI_PROC_NULL : 0;
  MPI_Bcast(buffer, COUNT, MPI_INT, root, between);
  return rank % 2 != 0 && is_not(buffer, value, 0);
}

static int reduce_between(int* sent, int* received) {
  const int root = rank == last ? MPI_ROOT : rank % 2 == 0 ? MPI_PROC_NULL : last / 2;
  MPI_Reduce(rank % 2 != 0 ? sent : nowhere, rank == last ? received : nowhere, COUNT, MPI_INT, MPI_SUM, root,
             between);
  return rank == last && is_not(received, sum_of_others, 1);
}

static int allreduce_between(int* sent, int* received) {
  MPI_Allreduce(sent, received, COUNT, MPI_INT, MPI_SUM, between);
  return is_not(received, sum_of_others, 1 - rank % 2);
}

static int allgather_between(int* sent, int* received) {
  MPI_Allgather(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, between);
  int wrong = 0;
  for (int i = 0, r = 1 - rank % 2; r < ranks; ++i, r += 2) wrong |= is_not(received + i * COUNT, value, r);
  return wrong;
}

static void make_groups(void) {
  MPI_Comm group;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
  MPI_Comm_free(&group);
}

static void (*driver_take)(const void* address, size_t bytes, int managed);

static void load(const char* driver) {
  void* const handle = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) fprintf(stderr, "%s\n", dlerror());
  /* The way that POSIX shows: ISO C knows no pointers to functions as pointers to data. */
  if (handle != NULL) *(void**)&driver_take = dlsym(handle, "driver_take");
  if (driver_take != NULL) driver_take(device, sizeof device, 0);
}

int main(int argc, char** argv) {
  int (*const calls[])(int*, int*) = {bcast,          absolute_bcast,     reduce,
                                      allreduce,      allreduce_in_place, allgather,
                                      allgatherv,     reduce_scatter,     scan,
                                      exscan,         alltoall,           bcast_between,
                                      reduce_between, allreduce_between,  allgather_between};
  if (argc != 3) return 2;
  const int is_wanted = strcmp(argv[1], "-") != 0, is_early = strcmp(argv[2], "early") == 0;
  if (is_wanted && is_early) load(argv[1]);
  MPI_Init(&argc, &argv);
  if (is_wanted && !is_early) load(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  last = ranks - 1;
  make_groups();

  int wrong = is_wanted && driver_take == NULL;
  for (size_t call = 0; call < sizeof calls / sizeof calls[0]; ++call) {
    for (int turn = 0; turn < TURNS; ++turn) {
      int* const sent = turn == 1 && rank == 0 ? device : host[0];
      int* const received = turn == 2 && rank == last ? device : host[1];
      for (int i = 0; i < COUNT; ++i) sent[i] = value(rank, i);
      memset(received, -1, sizeof host[1]);
      if (!calls[call](sent, received)) continue;
      fprintf(stderr, "wrong: rank %d of %d, call %zu, turn %d\n", rank, ranks, call, turn);
      wrong = 1;
    }
  }
  MPI_Comm_free(&between);
  MPI_Finalize();
  return wrong;
}
