/* Random neighbourhood calls: MPI_Neighbor_alltoall, alltoallv and alltoallw in grids, graphs and
 * adjacent lists.
 *
 *   neighbours SEED CASES      every case is called twice, with other data
 *
 * Neighbours occur several times, are the rank itself, or are none at the border of a grid; grids have
 * dimensions of size 1 and 2 that wrap around. Every rank checks all of its memory, gaps and margins too,
 * against what it must be. Rank 0 prints one line for each call with a hash of every rank's memory, then
 * how many calls had messages between two ranks. Ends with 1 if any memory was wrong. */
#include <stdio.h>

#include "cases.h"
#include "layouts.h"

enum { ALLTOALL, ALLTOALLV, ALLTOALLW, CALLS };
enum { RING, GRID, SMALL_GRID, GRAPH, LISTS, TOPOLOGIES };
enum { RANKS_AT_MOST = 32, DEGREE_AT_MOST = 16 };

static int rank, ranks, wrong;
static long mark; /* of the present call */

/* A case, the same on all ranks. */
typedef struct {
  long number;
  int call, topology, family, sparse, large, absolute;
} Case;

static Case case_of(long number) {
  Case c = {.number = number};
  c.call = (int)(mixed((uint64_t)number, 1, 0) % CALLS);
  c.topology = (int)(number % TOPOLOGIES);
  c.family = (int)(mixed((uint64_t)number, 3, 0) % FAMILIES);
  c.sparse = mixed((uint64_t)number, 4, 0) % 3 == 0;
  c.large = mixed((uint64_t)number, 5, 0) % 2 == 0;
  c.absolute = c.call == ALLTOALLW && mixed((uint64_t)number, 6, 0) % 4 == 0;
  return c;
}

/* The neighbours of a rank on one side, by position; -1: MPI_PROC_NULL. `turn`: the how manieth message
 * between these two ranks it is, as both of them count. */
typedef struct {
  int degree, peers[DEGREE_AT_MOST], turns[DEGREE_AT_MOST];
} Neighbours;

static void count_turns(Neighbours* n, const int* order) {
  int before[RANKS_AT_MOST] = {0};
  for (int i = 0; i < n->degree; ++i) {
    const int position = order ? order[i] : i;
    if (n->peers[position] >= 0) n->turns[position] = before[n->peers[position]]++;
  }
}

static void grid_neighbours(MPI_Comm comm, Neighbours* sources, Neighbours* destinations) {
  int dimensions, upwards_last[DEGREE_AT_MOST], upwards_first[DEGREE_AT_MOST];
  MPI_Cartdim_get(comm, &dimensions);
  sources->degree = 2 * dimensions;
  for (int d = 0; d < dimensions; ++d) {
    MPI_Cart_shift(comm, d, 1, &sources->peers[2 * d], &sources->peers[2 * d + 1]);
    upwards_last[2 * d] = upwards_first[2 * d + 1] = 2 * d;
    upwards_last[2 * d + 1] = upwards_first[2 * d] = 2 * d + 1;
  }
  for (int i = 0; i < sources->degree; ++i)
    if (sources->peers[i] == MPI_PROC_NULL) sources->peers[i] = -1;
  *destinations = *sources;
  count_turns(destinations, upwards_last); /* what goes down, then what goes up */
  count_turns(sources, upwards_first);     /* comes from above, then from below */
}

static MPI_Comm grid(const Case* c, Neighbours* sources, Neighbours* destinations) {
  int sizes[3] = {ranks, 1, 1}, wraps[3] = {1, 1, 0}, dimensions = c->topology == RING ? 1 : 3;
  if (c->topology == GRID) {
    sizes[0] = sizes[1] = 0, sizes[2] = 1, dimensions = 2;
    MPI_Dims_create(ranks, 2, sizes);
    wraps[0] = (int)(mixed((uint64_t)c->number, 7, 0) % 2), wraps[1] = !wraps[0];
  }
  if (c->topology == SMALL_GRID && ranks % 2 == 0) sizes[0] = ranks / 2, sizes[1] = 2;
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, wraps, 0, &comm);
  grid_neighbours(comm, sources, destinations);
  return comm;
}

/* Everybody names the next and the one before, up to three times each, and perhaps itself. */
static MPI_Comm graph(const Case* c, Neighbours* mine) {
  int ends[RANKS_AT_MOST], edges[RANKS_AT_MOST * DEGREE_AT_MOST], number = 0;
  const int times = 1 + (int)(mixed((uint64_t)c->number, 8, 0) % 3);
  for (int r = 0; r < ranks; ++r) {
    const int first = number;
    for (int t = 0; t < times; ++t)
      edges[number++] = (r + 1) % ranks, edges[number++] = (r + ranks - 1) % ranks;
    if (mixed((uint64_t)c->number, 9, (uint64_t)r) % 2) edges[number++] = r;
    ends[r] = number;
    if (r != rank) continue;
    mine->degree = number - first;
    memcpy(mine->peers, edges + first, (size_t)mine->degree * sizeof(int));
  }
  count_turns(mine, NULL);
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, edges, 0, &comm);
  return comm;
}

/* How often one rank names another. */
static int times_named(const Case* c, int from, int to) {
  const uint64_t any = mixed((uint64_t)c->number, 1000 + (uint64_t)from, 2000 + (uint64_t)to);
  return any % 3 == 0 ? 1 + (int)(any / 3 % 3) : 0;
}

static void add(Neighbours* n, int peer, int times) {
  for (int t = 0; t < times && n->degree < DEGREE_AT_MOST; ++t) {
    n->peers[n->degree] = peer;
    n->turns[n->degree++] = t;
  }
}

static MPI_Comm lists(const Case* c, Neighbours* sources, Neighbours* destinations) {
  for (int i = 0; i < ranks && i < 5; ++i) {
    const int apart = i * i % ranks; /* not in the order of ranks */
    int again = 0;
    for (int j = 0; j < i; ++j) again |= j * j % ranks == apart;
    if (again) continue;
    const int to = (rank + apart) % ranks, from = (rank + ranks - apart) % ranks;
    add(destinations, to, times_named(c, rank, to));
    add(sources, from, times_named(c, from, rank));
  }
  MPI_Comm comm;
  int weights[DEGREE_AT_MOST] = {0};
  const int weighted = c->number % 2 == 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources->degree, sources->peers,
                                 weighted ? weights : MPI_UNWEIGHTED, destinations->degree,
                                 destinations->peers, weighted ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &comm);
  return comm;
}

static MPI_Comm topology(const Case* c, Neighbours* sources, Neighbours* destinations) {
  *sources = *destinations = (Neighbours){0};
  if (c->topology == LISTS) return lists(c, sources, destinations);
  if (c->topology < GRAPH) return grid(c, sources, destinations);
  const MPI_Comm comm = graph(c, sources);
  *destinations = *sources;
  return comm;
}

/* The units of a message between two ranks. */
static long units_of(const Case* c, int from, int to, int turn) {
  if (c->call == ALLTOALL) return 1 + (long)(mixed((uint64_t)c->number, 10, 0) % 300);
  const uint64_t any =
      mixed((uint64_t)c->number, 100 + (uint64_t)from, 200 + (uint64_t)to * DEGREE_AT_MOST + (uint64_t)turn);
  return c->sparse && any % 3 != 0 ? 0 : (long)(any / 3 % 200);
}

/* Where the messages of one side lie, and how. */
typedef struct {
  const Neighbours* neighbours;
  char *arena, *expected;
  long size, origin; /* of the buffer's address */
  Layout layouts[DEGREE_AT_MOST];
  int counts[DEGREE_AT_MOST], displacements[DEGREE_AT_MOST];
  MPI_Aint bytes[DEGREE_AT_MOST];
  MPI_Datatype types[DEGREE_AT_MOST];
} Side;

static int from_of, to_of, turn_of;
static char payload(long k) {
  return (char)(k * 7 + k / 251 + mark * 13 + from_of * 31 + to_of * 17 + turn_of * 5 + 1);
}
static char gap(long i) { return (char)(i * 3 + rank * 5 + mark + 2); }

static long units_at(const Case* c, const Side* side, int i, int receives) {
  const int peer = side->neighbours->peers[i], turn = side->neighbours->turns[i];
  if (peer < 0) return c->call == ALLTOALL ? units_of(c, 0, 0, 0) : 3;
  return receives ? units_of(c, peer, rank, turn) : units_of(c, rank, peer, turn);
}

static int kind_at(const Case* c, int i, int receives, long units) {
  if (c->absolute) return units == 0 ? GAPS : ABSOLUTE;
  if (c->call != ALLTOALLW)
    return (int)(mixed((uint64_t)c->number, 8 + (uint64_t)receives, (uint64_t)rank) % 2);
  const uint64_t any =
      mixed((uint64_t)c->number, 300 + (uint64_t)rank, 400 + (uint64_t)i * 2 + (uint64_t)receives);
  return units == 0 ? PLAIN : (int)(any % ABSOLUTE);
}

/* With alltoallw every message has any layout; otherwise all have the same type, also with gaps, one after the other. */
static void lay_out(const Case* c, Side* side, const Neighbours* neighbours, int receives) {
  long at = 0, slot = 0;
  *side = (Side){.neighbours = neighbours, .size = 4 * MARGIN};
  for (int i = 0; i < neighbours->degree; ++i)
    side->size += arena_bytes(c->family, units_at(c, side, i, receives) + 2);
  side->arena = malloc((size_t)side->size);
  side->expected = malloc((size_t)side->size);
  side->origin = c->call == ALLTOALLW ? 0 : 2 * MARGIN;
  side->types[0] = MPI_BYTE;
  for (int i = 0; i < neighbours->degree; ++i) {
    const long units = units_at(c, side, i, receives);
    Layout* const layout = &side->layouts[i];
    *layout = layout_of(kind_at(c, i, receives, units), c->family, units, side->arena + slot);
    if (c->call == ALLTOALLW) {
      layout->base += slot;
      slot += arena_bytes(c->family, units + 2);
      side->bytes[i] = c->absolute ? 0 : layout->base;
    } else {
      layout->base = side->origin + at * layout->extent;
      side->displacements[i] = (int)at;
      at += units + (c->call == ALLTOALLV ? i % 2 : 0);
    }
    side->counts[i] = (int)layout->count;
    side->types[i] = layout->type;
  }
}

static void fill(Side* side, int receives, int before) {
  for (long i = 0; i < side->size; ++i) side->expected[i] = gap(i + receives);
  for (int i = 0; i < side->neighbours->degree; ++i) {
    const int peer = side->neighbours->peers[i];
    if (peer < 0 || (receives && before)) continue;
    from_of = receives ? peer : rank, to_of = receives ? rank : peer;
    turn_of = side->neighbours->turns[i];
    place(side->expected, &side->layouts[i], payload);
  }
}

#if MPI_VERSION >= 4
static void call_large(const Case* c, const void* send, Side* sent, void* receive, Side* received,
                       MPI_Comm comm) {
  MPI_Count counts[2][DEGREE_AT_MOST];
  MPI_Aint displacements[2][DEGREE_AT_MOST];
  for (int i = 0; i < DEGREE_AT_MOST; ++i) {
    counts[0][i] = sent->counts[i], counts[1][i] = received->counts[i];
    displacements[0][i] = sent->displacements[i], displacements[1][i] = received->displacements[i];
  }
  const MPI_Count equal = units_of(c, 0, 0, 0);
  if (c->call == ALLTOALL)
    MPI_Neighbor_alltoall_c(send, equal, sent->types[0], receive, equal, received->types[0], comm);
  if (c->call == ALLTOALLV)
    MPI_Neighbor_alltoallv_c(send, counts[0], displacements[0], sent->types[0], receive, counts[1],
                             displacements[1], received->types[0], comm);
  if (c->call == ALLTOALLW)
    MPI_Neighbor_alltoallw_c(send, counts[0], sent->bytes, sent->types, receive, counts[1], received->bytes,
                             received->types, comm);
}
#endif

static void call(const Case* c, Side* sent, Side* received, MPI_Comm comm) {
  const void* const send = c->absolute ? MPI_BOTTOM : sent->arena + sent->origin;
  void* const receive = c->absolute ? MPI_BOTTOM : received->arena + received->origin;
#if MPI_VERSION >= 4
  if (c->large) {
    call_large(c, send, sent, receive, received, comm);
    return;
  }
#endif
  const int equal = (int)units_of(c, 0, 0, 0);
  if (c->call == ALLTOALL)
    MPI_Neighbor_alltoall(send, equal, sent->types[0], receive, equal, received->types[0], comm);
  if (c->call == ALLTOALLV)
    MPI_Neighbor_alltoallv(send, sent->counts, sent->displacements, sent->types[0], receive, received->counts,
                           received->displacements, received->types[0], comm);
  if (c->call == ALLTOALLW)
    MPI_Neighbor_alltoallw(send, sent->counts, sent->bytes, sent->types, receive, received->counts,
                           received->bytes, received->types, comm);
}

static void compare(const Case* c, const Side* side, const char* name) {
  if (memcmp(side->arena, side->expected, (size_t)side->size) == 0) return;
  wrong = 1;
  fprintf(stderr, "wrong %s memory: rank %d of %d, case %ld (call %d, topology %d, large %d, absolute %d)\n",
          name, rank, ranks, c->number, c->call, c->topology, c->large, c->absolute);
}

static int has_messages(const Case* c, const Neighbours* destinations) {
  for (int i = 0; i < destinations->degree; ++i) {
    const int peer = destinations->peers[i];
    if (peer >= 0 && peer != rank && units_of(c, rank, peer, destinations->turns[i]) > 0) return 1;
  }
  return 0;
}

static uint64_t one_call(const Case* c, MPI_Comm comm, const Neighbours* sources,
                         const Neighbours* destinations) {
  Side sent, received;
  lay_out(c, &sent, destinations, 0);
  lay_out(c, &received, sources, 1);
  fill(&sent, 0, 1);
  memcpy(sent.arena, sent.expected, (size_t)sent.size);
  fill(&received, 1, 1);
  memcpy(received.arena, received.expected, (size_t)received.size);
  fill(&received, 1, 0);
  call(c, &sent, &received, comm);
  compare(c, &sent, "sent");
  compare(c, &received, "received");
  const uint64_t hash = hash_of(received.arena, received.size);
  for (int i = 0; i < DEGREE_AT_MOST; ++i) free(sent.layouts[i].segments), free(received.layouts[i].segments);
  free(sent.arena), free(sent.expected), free(received.arena), free(received.expected);
  return hash;
}

static void print(uint64_t hash) {
  uint64_t all[RANKS_AT_MOST];
  MPI_Gather(&hash, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  printf("call %ld:", mark);
  for (int r = 0; r < ranks; ++r) printf(" %016llx", (unsigned long long)all[r]);
  printf("\n");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  const long cases = argc > 2 ? atol(argv[2]) : 1;
  long with_messages = 0;
  for (long number = 0; number < cases; ++number) {
    const Case c = case_of(number);
    Neighbours sources, destinations;
    MPI_Comm comm = topology(&c, &sources, &destinations);
    for (mark = 2 * number; mark < 2 * number + 2; ++mark) print(one_call(&c, comm, &sources, &destinations));
    const int mine = has_messages(&c, &destinations);
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    with_messages += 2 * any;
    MPI_Comm_free(&comm);
  }
  int any_wrong = 0;
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("with messages: %ld\n", with_messages);
  MPI_Finalize();
  return any_wrong;
}
