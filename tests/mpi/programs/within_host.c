/* Broadcasts of all sizes among ranks of one host. Rank 0 prints in how many places it has memory of Rota's in common with others.
 *
 *     within_host            after these broadcasts
 *     within_host scan       after prefix sums: there a rank combines blocks with each other that it has got
 *     within_host starved    the same, where rank 0 can open no file while memory would be made
 *     within_host limited    after these broadcasts, where rank 0 may make no large files
 *     within_host pending    while ranks wait for each other's messages and for Rota's, each in an order of its own
 *     within_host many N     with N communicators at once, and after they are freed; with open files: before and then */
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static int places(void) {
  char line[4096];
  int count = 0;
  FILE* const maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) abort();
  while (fgets(line, sizeof line, maps) != NULL) count += strstr(line, "memfd:rota") != NULL;
  fclose(maps);
  return count;
}

static int open_files(void) {
  int count = 0;
  for (int file = 0; file < 1024; ++file) count += fcntl(file, F_GETFD) != -1;
  return count;
}

static int broadcasts_go_wrong(MPI_Comm comm) {
  int ranks, wrong = 0;
  MPI_Comm_size(comm, &ranks);
  for (int count = 1; count < 1000000; count = 3 * count + 1)
    wrong |= broadcast_goes_wrong(comm, count % ranks, count, count);
  return wrong;
}

static struct rlimit limited_files(rlim_t files) {
  struct rlimit before, now;
  getrlimit(RLIMIT_NOFILE, &before);
  now = before;
  now.rlim_cur = files;
  setrlimit(RLIMIT_NOFILE, &now);
  return before;
}

static int scan_goes_wrong(MPI_Comm comm) {
  enum { COUNT = 300000 };
  int rank, wrong;
  MPI_Comm_rank(comm, &rank);
  int* const own = malloc(COUNT * sizeof(int));
  int* const sums = malloc(COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) own[i] = i + rank;
  wrong = MPI_Scan(own, sums, COUNT, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS;
  for (int i = 0; i < COUNT; ++i) wrong |= sums[i] != (rank + 1) * i + rank * (rank + 1) / 2;
  free(own);
  free(sums);
  return wrong;
}

/* Whatever MPI itself needs files for has happened. */
static int starved(int rank) {
  int wrong = 0;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    const int next = dup(0);
    close(next);
    const struct rlimit before = limited_files((rlim_t)next);
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 10000, 2);
    setrlimit(RLIMIT_NOFILE, &before);
  } else {
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 10000, 2);
  }
  return wrong | broadcasts_go_wrong(MPI_COMM_WORLD);
}

static int limited(int rank) {
  if (rank == 0) {
    const struct rlimit few_bytes = {.rlim_cur = 65536, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &few_bytes);
  }
  return broadcasts_go_wrong(MPI_COMM_WORLD);
}

/* Rank 1 waits for a message of rank 0's, and for a sum, before it joins a broadcast in which rank 0 is waiting for it. */
static int pending(int rank) {
  enum { COUNT = 300000 };
  int* const data = malloc(COUNT * sizeof(int));
  int one = 1, sum = 0, ranks, wrong = 0;
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_size(other, &ranks);
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i + turn : -1;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, other, &requests[0]);
    if (rank == 0) MPI_Isend(data, COUNT, MPI_INT, 1, 5, other, &requests[1]);
    if (rank == 1) MPI_Irecv(data, COUNT, MPI_INT, 0, 5, other, &requests[1]);
    if (rank == 1) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 50000, turn);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    wrong |= sum != ranks;
    for (int i = 0; i < COUNT && rank < 2; ++i) wrong |= data[i] != i + turn;
  }
  MPI_Comm_free(&other);
  free(data);
  return wrong;
}

static int many(int count, int rank) {
  MPI_Comm* const comms = malloc((size_t)count * sizeof *comms);
  const int files = open_files();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    wrong |= broadcast_goes_wrong(comms[i], i % 2, 1000, i);
  }
  const int most = places();
  for (int i = 0; i < count; ++i) MPI_Comm_free(&comms[i]);
  free(comms);
  if (rank == 0) printf("at most %d, files %d, then ", most, open_files() - files);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, wrong;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc == 3) {
    wrong = many(atoi(argv[2]), rank);
  } else if (argc == 2 && strcmp(argv[1], "scan") == 0) {
    wrong = scan_goes_wrong(MPI_COMM_WORLD);
  } else if (argc == 2 && strcmp(argv[1], "limited") == 0) {
    wrong = limited(rank);
  } else if (argc == 2 && strcmp(argv[1], "pending") == 0) {
    wrong = pending(rank);
  } else if (argc == 2) {
    wrong = starved(rank);
  } else {
    wrong = broadcasts_go_wrong(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("places %d\n", places());
  return end_with(wrong);
}
