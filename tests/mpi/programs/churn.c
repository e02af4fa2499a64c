/* Duplicates a communicator, broadcasts on it and frees it, TIMES times. Rank 0 prints by how many KiB its memory grew in
 * the second half. */
#include <unistd.h>

#include "check.h"

static long resident_kib(void) {
  long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) abort();
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int times = atoi(argv[1]);
  int rank, wrong = 0;
  long halfway_kib = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < times; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    wrong |= broadcast_goes_wrong(comm, i % 2, 100, i);
    MPI_Comm_free(&comm);
    if (i == times / 2) halfway_kib = resident_kib();
  }
  if (rank == 0) printf("grew KiB: %ld\n", resident_kib() - halfway_kib);
  return end_with(wrong);
}
