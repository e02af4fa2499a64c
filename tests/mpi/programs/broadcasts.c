/* Broadcasts from every root, in the given sizes, every rank with a layout of its own.
 *
 *   broadcasts SIZE...      sizes in bytes, rounded down to units of the family in turn
 *
 * Every rank checks all of its memory, gaps and margins too, against what it must be. Rank 0 prints one line
 * for each
 * broadcast with a hash of every rank's memory, then how many carried data. Ends with 1 if any memory was
 * wrong. */
#include <stdint.h>
#include <stdio.h>

#include "layouts.h"

static long seed;

static char payload(long k) { return (char)(k * 7 + k / 251 + seed * 13 + 1); }
static char gap(int rank, long i) { return (char)(i * 3 + rank * 5 + 2); }

static uint64_t hash_of(const char* bytes, long size) {
  uint64_t hash = 14695981039346656037u;
  for (long i = 0; i < size; ++i) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
  return hash;
}

/* The same call through the entry for large counts, where there is one, in every second broadcast. */
static void broadcast(void* buffer, const Layout* layout, int root) {
#if MPI_VERSION >= 4
  if (seed % 2 != 0) {
    MPI_Bcast_c(buffer, layout->count, layout->type, root, MPI_COMM_WORLD);
    return;
  }
#endif
  MPI_Bcast(buffer, (int)layout->count, layout->type, root, MPI_COMM_WORLD);
}

typedef struct {
  int rank, ranks, wrong;
  uint64_t* hashes; /* one a broadcast */
} Run;

static void one_broadcast(Run* run, int family, long units, int root) {
  const long size = arena_bytes(family, units);
  char* const arena = malloc((size_t)size);
  char* const expected = malloc((size_t)size);
  /* Without data all describe it alike: MPICH hangs if one rank says no items and another says empty ones. */
  const int kind = units == 0 ? PLAIN : (int)((run->rank + seed) % LAYOUTS);
  Layout layout = layout_of(kind, family, units, arena);
  for (long i = 0; i < size; ++i) expected[i] = gap(run->rank, i);
  if (run->rank != root) memcpy(arena, expected, (size_t)size);
  place(expected, &layout, payload);
  if (run->rank == root) memcpy(arena, expected, (size_t)size);

  broadcast(layout.absolute ? MPI_BOTTOM : arena + layout.base, &layout, root);

  if (memcmp(arena, expected, (size_t)size) != 0) {
    run->wrong = 1;
    fprintf(stderr, "wrong memory: rank %d of %d, root %d, family %d, units %ld, layout %d\n", run->rank,
            run->ranks, root, family, units, kind);
  }
  run->hashes[seed] = hash_of(arena, size);
  free(layout.segments);
  free(expected);
  free(arena);
}

static void print_hashes(const Run* run, long broadcasts) {
  uint64_t* const all = malloc((size_t)(broadcasts * run->ranks) * sizeof(uint64_t));
  MPI_Gather(run->hashes, (int)broadcasts, MPI_UINT64_T, all, (int)broadcasts, MPI_UINT64_T, 0,
             MPI_COMM_WORLD);
  for (long b = 0; run->rank == 0 && b < broadcasts; ++b) {
    printf("broadcast %ld:", b);
    for (int r = 0; r < run->ranks; ++r) printf(" %016llx", (unsigned long long)all[r * broadcasts + b]);
    printf("\n");
  }
  free(all);
}

int main(int argc, char** argv) {
  Run run = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run.ranks);
  run.hashes = calloc((size_t)(argc * (run.ranks + FAMILIES)), sizeof(uint64_t));

  long with_data = 0;
  const int turns =
      run.ranks < FAMILIES ? FAMILIES : run.ranks; /* every root, and every size in every family */
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = 1; i < argc; ++i, ++seed) {
      const int family = (turn + i) % FAMILIES;
      const long units = atol(argv[i]) / unit_bytes[family];
      with_data += units > 0;
      one_broadcast(&run, family, units, turn % run.ranks);
    }
  }

  print_hashes(&run, seed);
  int any_wrong = 0;
  MPI_Allreduce(&run.wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (run.rank == 0) printf("with data: %ld\n", with_data);
  MPI_Finalize();
  return any_wrong;
}
