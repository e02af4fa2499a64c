/* One rank has no memory for the schedule of an alltoallv: the call goes wrong on no rank, and the next one
 * has a schedule.
 *
 *   starved BYTES      during the second of three calls, librota on rank 1 gets no memory in pieces of so many
 *                      bytes or more */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "check.h"

enum { ITEMS = 100, RANKS_AT_MOST = 32 };

static size_t refused_bytes = (size_t)-1;

extern void* __libc_malloc(size_t bytes);

static int is_rota(const void* caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 && strstr(info.dli_fname, "librota_") != NULL;
}

/* What all libraries of the program call; C++'s operators are part of librota itself. */
void* malloc(size_t bytes) {
  if (bytes >= refused_bytes && is_rota(__builtin_return_address(0))) return NULL;
  return __libc_malloc(bytes);
}

static int exchange_goes_wrong(int mark, int items) {
  int rank, ranks, wrong = 0, counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
  static int sent[RANKS_AT_MOST * ITEMS], received[RANKS_AT_MOST * ITEMS];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ranks; ++i) counts[i] = items, places[i] = i * ITEMS;
  for (int i = 0; i < ranks * ITEMS; ++i) sent[i] = mark + rank * 100000 + i;
  MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < ranks * ITEMS; ++i)
    if (i % ITEMS < items) wrong |= received[i] != mark + i / ITEMS * 100000 + rank * ITEMS + i % ITEMS;
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int wrong = exchange_goes_wrong(1, 1);
  if (rank == 1) refused_bytes = strtoul(argv[1], NULL, 10);
  wrong |= exchange_goes_wrong(2, ITEMS);
  refused_bytes = (size_t)-1;
  wrong |= exchange_goes_wrong(3, ITEMS);
  return end_with(wrong);
}
