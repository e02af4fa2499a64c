/* Calls in which one rank has odd arguments, all of them legal: everybody gets everybody's data.
 *
 *   odd_rank CASE...      each with every rank for the odd one, in turn
 *
 * Rank 0 prints a line for each call. A case whose calls this MPI library has not is left out. */
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { COUNT = 65536, PIECE = 16384, RANKS_AT_MOST = 5, PIECE_BYTES = PIECE * sizeof(int) };

static int rank, ranks, odd, is_odd;
static int *sent, *got; /* COUNT for, or from, each rank; they begin at multiples of PIECE_BYTES */
static int counts[RANKS_AT_MOST], counts_again[RANKS_AT_MOST], places[RANKS_AT_MOST];
static MPI_Aint bytes[RANKS_AT_MOST];
static MPI_Datatype empty, piece, types[RANKS_AT_MOST];
static MPI_Comm all_neighbours, between;

static int value(int from, int to, int i) { return from * 1000003 + to * 7919 + i; }

/* COUNT for each pair of ranks but for those with the odd one; for all of them if that takes part. */
static void prepare(int takes_part) {
  for (int peer = 0; peer < ranks; ++peer) {
    const int has_data = takes_part || (!is_odd && peer != odd);
    for (int i = 0; i < COUNT; ++i) sent[peer * COUNT + i] = value(rank, peer, i), got[peer * COUNT + i] = -1;
    counts[peer] = has_data ? COUNT : is_odd;
    places[peer] = peer * COUNT;
    bytes[peer] = peer * COUNT * (MPI_Aint)sizeof(int);
    types[peer] = has_data ? MPI_INT : empty;
  }
  memcpy(counts_again, counts, sizeof counts);
}

static int pair_is_wrong(int from, int has_data) {
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong |= got[from * COUNT + i] != (has_data ? value(from, rank, i) : -1);
  return wrong;
}

static int exchange_is_wrong(int takes_part) {
  int wrong = 0;
  for (int from = 0; from < ranks; ++from)
    wrong |= pair_is_wrong(from, takes_part || (!is_odd && from != odd));
  return wrong;
}

/* After allgathers: the first `count` items that each rank has for rank 0. */
static int gathered_is_wrong(int count, int takes_part) {
  int wrong = 0;
  for (int from = 0; from < ranks; ++from)
    for (int i = 0; i < count; ++i)
      wrong |= got[from * COUNT + i] != (takes_part || from != odd ? value(from, 0, i) : -1);
  return wrong;
}

/* --- null buffers, where there are items of an empty type */

static int* or_null(int* buffer) { return is_odd ? NULL : buffer; }

static int alltoallv_null(void) {
  prepare(0);
  const MPI_Datatype type = is_odd ? empty : MPI_INT;
  MPI_Alltoallv(or_null(sent), counts, places, type, or_null(got), counts_again, places, type,
                MPI_COMM_WORLD);
  return exchange_is_wrong(0);
}

static int neighbor_alltoallv_null(void) {
  prepare(0);
  const MPI_Datatype type = is_odd ? empty : MPI_INT;
  MPI_Neighbor_alltoallv(or_null(sent), counts, places, type, or_null(got), counts_again, places, type,
                         all_neighbours);
  return exchange_is_wrong(0);
}

static void place_in_bytes(void) {
  for (int peer = 0; peer < ranks; ++peer) places[peer] = (int)bytes[peer];
}

static int alltoallw_null(void) {
  prepare(0);
  place_in_bytes();
  MPI_Alltoallw(or_null(sent), counts, places, types, or_null(got), counts_again, places, types,
                MPI_COMM_WORLD);
  return exchange_is_wrong(0);
}

static int neighbor_alltoallw_null(void) {
  prepare(0);
  MPI_Neighbor_alltoallw(or_null(sent), counts, bytes, types, or_null(got), counts_again, bytes, types,
                         all_neighbours);
  return exchange_is_wrong(0);
}

/* `count` of each rank but the odd one. */
static int gathering_goes_wrong(int count) {
  prepare(1);
  for (int peer = 0; peer < ranks; ++peer) counts[peer] = peer == odd ? 0 : count;
  MPI_Allgatherv(or_null(sent), is_odd ? 1 : count, is_odd ? empty : MPI_INT, got, counts, places, MPI_INT,
                 MPI_COMM_WORLD);
  return gathered_is_wrong(count, 0);
}

static int allgatherv_null(void) { return gathering_goes_wrong(COUNT); }
static int allgatherv_null_small(void) { return gathering_goes_wrong(64); }

/* Between rank 0, if that is the odd one, and all others. */
static int allgatherv_between_null(void) {
  if (odd != 0) return 0;
  prepare(1);
  counts[0] = 0;
  const int first = rank == 0 ? 1 : 0;
  MPI_Allgatherv(or_null(sent), is_odd ? 1 : COUNT, is_odd ? empty : MPI_INT, got, counts + first,
                 places + first, MPI_INT, between);
  return is_odd && gathered_is_wrong(COUNT, 0);
}

/* --- no type, where there are no items */

static int alltoallw_null_type(void) {
  prepare(0);
  place_in_bytes();
  for (int peer = 0; is_odd && peer < ranks; ++peer) counts[peer] = 0, types[peer] = MPI_DATATYPE_NULL;
  MPI_Alltoallw(sent, counts, places, types, got, counts, places, types, MPI_COMM_WORLD);
  return exchange_is_wrong(0);
}

static int neighbor_alltoallw_null_type(void) {
  prepare(0);
  for (int peer = 0; is_odd && peer < ranks; ++peer) counts[peer] = 0, types[peer] = MPI_DATATYPE_NULL;
  MPI_Neighbor_alltoallw(sent, counts, bytes, types, got, counts, bytes, types, all_neighbours);
  return exchange_is_wrong(0);
}

/* --- absolute addresses, as displacements from MPI_BOTTOM */

static MPI_Aint address_of(const void* where) {
  MPI_Aint result;
  MPI_Get_address(where, &result);
  return result;
}

/* In pieces that are so large that ints hold addresses. */
static void place_pieces(int displacements[], const int* buffer) {
  for (int peer = 0; peer < ranks; ++peer) {
    counts[peer] = counts_again[peer] = COUNT / PIECE;
    displacements[peer] =
        is_odd ? (int)(address_of(buffer + peer * COUNT) / PIECE_BYTES) : peer * (COUNT / PIECE);
  }
}

static int allgatherv_bottom(void) {
  prepare(1);
  place_pieces(places, got);
  MPI_Allgatherv(sent, COUNT, MPI_INT, is_odd ? MPI_BOTTOM : got, counts, places, piece, MPI_COMM_WORLD);
  return gathered_is_wrong(COUNT, 1);
}

static int alltoallv_bottom(void) {
  prepare(1);
  int froms[RANKS_AT_MOST];
  place_pieces(froms, sent);
  place_pieces(places, got);
  MPI_Alltoallv(is_odd ? MPI_BOTTOM : sent, counts, froms, piece, is_odd ? MPI_BOTTOM : got, counts_again,
                places, piece, MPI_COMM_WORLD);
  return exchange_is_wrong(1);
}

static int neighbor_alltoallw_bottom(void) {
  prepare(1);
  MPI_Aint froms[RANKS_AT_MOST];
  memcpy(froms, bytes, sizeof froms);
  for (int peer = 0; is_odd && peer < ranks; ++peer) {
    froms[peer] = address_of(sent + peer * COUNT);
    bytes[peer] = address_of(got + peer * COUNT);
  }
  MPI_Neighbor_alltoallw(is_odd ? MPI_BOTTOM : sent, counts, froms, types, is_odd ? MPI_BOTTOM : got,
                         counts_again, bytes, types, all_neighbours);
  return exchange_is_wrong(1);
}

#if MPI_VERSION >= 4
static MPI_Count large_counts[RANKS_AT_MOST], large_counts_again[RANKS_AT_MOST];

static MPI_Aint addresses[RANKS_AT_MOST];

static void address_ints(MPI_Aint displacements[], const int* buffer) {
  for (int peer = 0; peer < ranks; ++peer) {
    large_counts[peer] = large_counts_again[peer] = COUNT;
    displacements[peer] = is_odd ? address_of(buffer + peer * COUNT) / (MPI_Aint)sizeof(int) : peer * COUNT;
  }
}

static int allgatherv_c_bottom(void) {
  prepare(1);
  address_ints(addresses, got);
  MPI_Allgatherv_c(sent, COUNT, MPI_INT, is_odd ? MPI_BOTTOM : got, large_counts, addresses, MPI_INT,
                   MPI_COMM_WORLD);
  return gathered_is_wrong(COUNT, 1);
}

static int alltoallv_c_bottom(void) {
  prepare(1);
  MPI_Aint froms[RANKS_AT_MOST];
  address_ints(froms, sent);
  address_ints(addresses, got);
  MPI_Alltoallv_c(is_odd ? MPI_BOTTOM : sent, large_counts, froms, MPI_INT, is_odd ? MPI_BOTTOM : got,
                  large_counts_again, addresses, MPI_INT, MPI_COMM_WORLD);
  return exchange_is_wrong(1);
}
#endif

/* A type with an address of its own. */
static int bcast_bottom(void) {
  prepare(1);
  MPI_Datatype absolute;
  const int count = COUNT;
  int* const data = rank == 0 ? sent : got;
  const MPI_Aint address = address_of(data);
  MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  MPI_Bcast(is_odd ? MPI_BOTTOM : data, is_odd ? 1 : COUNT, is_odd ? absolute : MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Type_free(&absolute);
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != value(0, 0, i);
  return wrong;
}

/* --- arguments that mean nothing on this rank */

static int sum_is_wrong(int first, int last) {
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    int sum = 0;
    for (int from = first; from < last; ++from) sum += value(from, 0, i);
    wrong |= got[i] != sum;
  }
  return wrong;
}

static int reduce_to_nowhere(void) {
  const int root = (odd + 1) % ranks;
  prepare(1);
  MPI_Reduce(sent, or_null(got), COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  return rank == root && sum_is_wrong(0, ranks);
}

static int reduce_to_what_is_sent(void) {
  const int root = (odd + 1) % ranks;
  prepare(1);
  MPI_Reduce(sent, is_odd ? sent : got, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  return rank == root && sum_is_wrong(0, ranks);
}

static int exscan_to_nowhere(void) {
  prepare(1);
  MPI_Exscan(sent, rank == 0 ? NULL : got, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return rank > 0 && sum_is_wrong(0, rank);
}

static int reduce_scatter_nothing(void) {
  prepare(1);
  for (int peer = 0; peer < ranks; ++peer) counts[peer] = peer == odd ? 0 : COUNT / ranks;
  MPI_Reduce_scatter(sent, or_null(got), counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int wrong = 0;
  const int first = (rank - (odd < rank)) * (COUNT / ranks);
  for (int i = 0; i < counts[rank]; ++i) {
    int sum = 0;
    for (int from = 0; from < ranks; ++from) sum += value(from, 0, first + i);
    wrong |= got[i] != sum;
  }
  return wrong;
}

/* All but rank 0 are one group, in which those besides the root take no part. */
static int bcast_between_bystanders(void) {
  prepare(1);
  int *data = sent, root = MPI_ROOT, count = COUNT;
  if (rank == 0) data = got, root = ranks - 2;
  if (rank > 0 && rank < ranks - 1) data = NULL, root = MPI_PROC_NULL, count = 1;
  MPI_Bcast(data, count, MPI_INT, root, between);
  int wrong = 0;
  for (int i = 0; rank == 0 && i < COUNT; ++i) wrong |= got[i] != value(ranks - 1, 0, i);
  return wrong;
}

static const struct {
  const char* name;
  int (*goes_wrong)(void);
} cases[] = {
    {"alltoallv_null", alltoallv_null},
    {"alltoallw_null", alltoallw_null},
    {"neighbor_alltoallv_null", neighbor_alltoallv_null},
    {"neighbor_alltoallw_null", neighbor_alltoallw_null},
    {"allgatherv_null", allgatherv_null},
    {"allgatherv_null_small", allgatherv_null_small},
    {"allgatherv_between_null", allgatherv_between_null},
    {"alltoallw_null_type", alltoallw_null_type},
    {"neighbor_alltoallw_null_type", neighbor_alltoallw_null_type},
    {"allgatherv_bottom", allgatherv_bottom},
    {"alltoallv_bottom", alltoallv_bottom},
    {"neighbor_alltoallw_bottom", neighbor_alltoallw_bottom},
#if MPI_VERSION >= 4
    {"allgatherv_c_bottom", allgatherv_c_bottom},
    {"alltoallv_c_bottom", alltoallv_c_bottom},
#endif
    {"bcast_bottom", bcast_bottom},
    {"reduce_to_nowhere", reduce_to_nowhere},
    {"reduce_to_what_is_sent", reduce_to_what_is_sent},
    {"exscan_to_nowhere", exscan_to_nowhere},
    {"reduce_scatter_nothing", reduce_scatter_nothing},
    {"bcast_between_bystanders", bcast_between_bystanders},
};

static int go_wrong(int number) {
  int wrong = 0;
  for (odd = 0; odd < ranks; ++odd) {
    is_odd = rank == odd;
    int now = cases[number].goes_wrong(), any = 0;
    MPI_Reduce(&now, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s, odd rank %d: %s\n", cases[number].name, odd, any ? "wrong" : "right");
    fflush(stdout);
    wrong |= now;
  }
  return wrong;
}

static void connect(void) {
  int peers[RANKS_AT_MOST], weights[RANKS_AT_MOST];
  MPI_Comm side;
  for (int peer = 0; peer < ranks; ++peer) peers[peer] = peer, weights[peer] = 1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ranks, peers, weights, ranks, peers, weights, MPI_INFO_NULL,
                                 0, &all_neighbours);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &between);
  MPI_Comm_free(&side);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  MPI_Type_contiguous(PIECE, MPI_INT, &piece);
  MPI_Type_commit(&piece);
  connect();
  sent = aligned_alloc(PIECE_BYTES, (size_t)ranks * COUNT * sizeof(int));
  got = aligned_alloc(PIECE_BYTES, (size_t)ranks * COUNT * sizeof(int));
  int wrong = 0;
  for (int i = 1; i < argc; ++i)
    for (size_t number = 0; number < sizeof cases / sizeof *cases; ++number)
      if (strcmp(cases[number].name, argv[i]) == 0) wrong |= go_wrong((int)number);
  return end_with(wrong);
}
