/* Each of MPI's all-to-many calls on 1 MiB for each other rank, twice; the last is an alltoallv between the lower and
 * the upper half. */
#include <string.h>

#include "check.h"

enum { ITEMS = 1 << 20, RANKS_AT_MOST = 8 };

static int counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
static MPI_Aint addresses[RANKS_AT_MOST];
static MPI_Datatype types[RANKS_AT_MOST];
static char *sent, *received;

static MPI_Comm ring_of(int rank, int ranks) {
  const int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks, weight = 1;
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &below, &weight, 1, &above, &weight, MPI_INFO_NULL, 0,
                                 &ring);
  return ring;
}

static MPI_Comm halves_of(int rank, int ranks) {
  const int is_upper = rank >= ranks / 2;
  MPI_Comm half, both;
  MPI_Comm_split(MPI_COMM_WORLD, is_upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_upper ? 0 : ranks / 2, 1, &both);
  return both;
}

static void exchange(MPI_Comm all, MPI_Comm ring) {
  MPI_Alltoall(sent, ITEMS, MPI_CHAR, received, ITEMS, MPI_CHAR, all);
  MPI_Alltoallv(sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR, all);
  MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, all);
  MPI_Neighbor_alltoall(sent, ITEMS, MPI_CHAR, received, ITEMS, MPI_CHAR, ring);
  MPI_Neighbor_alltoallv(sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR, ring);
  MPI_Neighbor_alltoallw(sent, counts, addresses, types, received, counts, addresses, types, ring);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = ITEMS;
    places[i] = i * ITEMS;
    addresses[i] = places[i];
    types[i] = MPI_CHAR;
  }
  sent = calloc((size_t)ranks, ITEMS);
  received = calloc((size_t)ranks, ITEMS);
  memset(sent, 1 + rank, (size_t)ranks * ITEMS);
  const MPI_Comm ring = ring_of(rank, ranks), halves = halves_of(rank, ranks);
  for (int i = 0; i < 2; ++i) {
    exchange(MPI_COMM_WORLD, ring);
    MPI_Alltoallv(sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR, halves);
  }
  return end_with(received[0] != 1 + (rank < ranks / 2 ? ranks / 2 : 0));
}
