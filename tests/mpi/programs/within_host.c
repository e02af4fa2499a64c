/* Broadcasts of all sizes among ranks of one host. Rank 0 prints in how many places it has memory of Rota's in common with others.
 *
 *     within_host            after these broadcasts
 *     within_host scan       after prefix sums: there a rank combines blocks with each other that it has got
 *     within_host starved    the same, where rank 0 can open no file while memory would be made
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
  } else if (argc == 2) {
    wrong = starved(rank);
  } else {
    wrong = broadcasts_go_wrong(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("places %d\n", places());
  return end_with(wrong);
}
