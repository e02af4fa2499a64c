/* Irregular exchanges that return at once, or are set up once and started several times: up to eight outstanding.
 *
 *   started_exchanges SEED PROGRAMS   so many random programs, on four communicators: all ranks, two copies of them with
 *                                     topologies, and some of the ranks; a few patterns that come again, among them empty,
 *                                     sparse and skewed ones; in place and at absolute addresses; types that are freed at
 *                                     once; blocking exchanges and messages between, and every form of wait and test
 *
 * Prints how many there were on rank 0; its status is 1 if any rank's data are wrong. */
#include <stdlib.h>
#include <string.h>

#define SETS_UP_NATIVELY
#include "check.h"
#include "ends.h"

enum { most = 8, communicators = 4, GRID = 2, LISTS = 3, patterns = 12, ENTRIES = 64 };
enum { V, W, NEIGHBOR, NEIGHBOR_V, NEIGHBOR_W, ALLTOALL, kinds };

/* To whom, or from whom, each entry of a call's arrays is, and the how manieth message between these two ranks; -1: nobody. */
struct entries {
  int number, peers[ENTRIES], turns[ENTRIES];
};

static MPI_Comm comms[communicators];
static int ranks[communicators], own[communicators];
static struct entries all_of[communicators], sources[communicators], destinations[communicators];

static unsigned mixed(unsigned a, unsigned b, unsigned c) {
  unsigned long long state = a * 7919ULL + b * 104729ULL + c * 1299709ULL + 17;
  for (int i = 0; i < 3; ++i) next(&state, 2);
  return next(&state, 1u << 20);
}

/* The items of a message in a pattern; in place as many both ways. */
static int items_of(int pattern, int in_place, int from, int to, int turn) {
  const int low = in_place && from > to ? to : from, high = in_place && from > to ? from : to;
  const unsigned any = mixed((unsigned)pattern, (unsigned)(low * 64 + turn), (unsigned)high);
  switch (pattern % 6) {
    case 0: /* nothing */
      return 0;
    case 1: /* sparse */
      return any % 3 == 0 ? 1 + (int)(any % 700) : 0;
    case 2: /* skewed */
      return (1 << (any % 12)) - 1;
    case 3: /* one sender */
      return low == pattern / 6 ? (int)(any % 2000) : 0;
    case 4: /* small */
      return (int)(any % 4);
    default: /* even */
      return 1000 + pattern;
  }
}

/* One side of a call. Items are single longs, or stand two apart. */
struct side {
  const struct entries* entries;
  long* memory;
  int size, stride[ENTRIES], items[ENTRIES], begins[ENTRIES];
  int counts[ENTRIES], displacements[ENTRIES];
  MPI_Aint addresses[ENTRIES];
#if MPI_VERSION >= 4
  MPI_Count large_counts[ENTRIES];
#endif
  MPI_Aint large_displacements[ENTRIES];
  MPI_Datatype types[ENTRIES], type;
};

struct exchange {
  int kind, in, pattern, in_place, absolute, large, number;
  struct side sent, received;
  long* expected;
};

static long value(int from, int to, int turn, int i, int number) {
  return (long)from * 1000003 + (long)to * 10007 + (long)turn * 101 + (long)i * 7 + number;
}

static int is_typed(const struct exchange* x) { return x->kind == W || x->kind == NEIGHBOR_W; }

static int is_equal(const struct exchange* x) { return x->kind == NEIGHBOR || x->kind == ALLTOALL; }

static int items(const struct exchange* x, int entry, const struct entries* of, int is_sent) {
  const int me = own[x->in], peer = of->peers[entry];
  if (is_equal(x)) return 50 + x->pattern * 40;
  if (peer < 0) return 0;
  return items_of(x->pattern, x->in_place, is_sent ? me : peer, is_sent ? peer : me, of->turns[entry]);
}

/* Where each entry's items lie, and by which types; those of the program's own are to be freed. */
static void lay_out(struct exchange* x, struct side* side, const struct entries* of, int is_sent) {
  const int one_stride = 1 + (int)mixed((unsigned)x->number, (unsigned)own[x->in], (unsigned)is_sent) % 2;
  int at = 0;
  side->entries = of;
  for (int e = 0; e < of->number; ++e) {
    const int n = items(x, e, of, is_sent);
    side->stride[e] =
        is_typed(x) ? 1 + (int)mixed((unsigned)x->number, (unsigned)e, (unsigned)own[x->in]) % 2 : one_stride;
    side->items[e] = n;
    side->begins[e] = at * (is_typed(x) ? 1 : one_stride);
    side->counts[e] = is_typed(x) && side->stride[e] == 2 ? n > 0 : n;
    side->displacements[e] = is_typed(x) ? at * (int)sizeof(long) : at;
    at += is_typed(x) ? n * side->stride[e] : n;
#if MPI_VERSION >= 4
    side->large_counts[e] = side->counts[e];
#endif
    side->large_displacements[e] = side->displacements[e];
  }
  side->size = at * one_stride + 1;
  side->memory = malloc((size_t)side->size * sizeof(long));
  for (int i = 0; i < side->size; ++i) side->memory[i] = -1;
}

static void make_types(struct exchange* x, struct side* side) {
  side->type = MPI_LONG;
  if (!is_typed(x) && side->entries->number > 0 && side->stride[0] == 2) {
    MPI_Type_create_resized(MPI_LONG, 0, 2 * sizeof(long), &side->type);
    MPI_Type_commit(&side->type);
  }
  for (int e = 0; e < side->entries->number; ++e) {
    side->types[e] = MPI_LONG;
    MPI_Get_address(side->memory + side->begins[e], &side->addresses[e]);
    if (!x->absolute) side->addresses[e] = side->displacements[e];
    if (!is_typed(x) || side->stride[e] == 1) continue;
    MPI_Type_vector(side->items[e], 1, 2, MPI_LONG, &side->types[e]);
    MPI_Type_commit(&side->types[e]);
  }
}

static void free_types(struct side* side) {
  if (side->type != MPI_LONG) MPI_Type_free(&side->type);
  for (int e = 0; e < side->entries->number; ++e)
    if (side->types[e] != MPI_LONG) MPI_Type_free(&side->types[e]);
}

static void put(const struct exchange* x, const struct side* side, long* memory, int is_sent, int number) {
  const int me = own[x->in];
  for (int e = 0; e < side->entries->number; ++e) {
    const int peer = side->entries->peers[e], turn = side->entries->turns[e];
    for (int i = 0; peer >= 0 && i < side->items[e]; ++i)
      memory[side->begins[e] + i * side->stride[e]] =
          is_sent ? value(me, peer, turn, i, number) : value(peer, me, turn, i, number);
  }
}

/* With data of this number, before a start. */
static void fill(struct exchange* x, int number) {
  for (int i = 0; i < x->received.size; ++i) x->received.memory[i] = x->expected[i] = -1;
  put(x, &x->sent, x->sent.memory, 1, number);
  if (x->in_place) put(x, &x->received, x->received.memory, 1, number);
  put(x, &x->received, x->expected, 0, number);
}

static void prepare(struct exchange* x, int number) {
  memset(x, 0, sizeof *x);
  x->number = number;
  x->kind = (int)next(&common, kinds);
  x->in = (int)next(&common, communicators);
  if (x->kind == NEIGHBOR || x->kind == NEIGHBOR_V || x->kind == NEIGHBOR_W) x->in = GRID + x->in % 2;
  if (x->kind == W && ranks[x->in] == 1)
    x->kind = V; /* Open MPI forgets the displacements of a single rank */
  x->pattern = (int)next(&common, patterns);
  x->in_place = (x->kind == V || x->kind == W) && next(&common, 4) == 0;
  x->absolute = x->kind == NEIGHBOR_W && next(&common, 2) == 0;
  x->large = (int)next(&common, 3) == 0;
  const int is_among_neighbours = x->kind >= NEIGHBOR && x->kind <= NEIGHBOR_W;
  lay_out(x, &x->sent, is_among_neighbours ? &destinations[x->in] : &all_of[x->in], 1);
  lay_out(x, &x->received, is_among_neighbours ? &sources[x->in] : &all_of[x->in], 0);
  x->expected = malloc((size_t)x->received.size * sizeof(long));
  fill(x, number);
}

static int is_wrong(const struct exchange* x) {
  for (int i = 0; i < x->received.size; ++i)
    if (x->received.memory[i] != x->expected[i]) {
      fprintf(stderr, "kind %d on %d, pattern %d, place %d of %d: %ld, not %ld\n", x->kind, x->in, x->pattern,
              i, x->received.size, x->received.memory[i], x->expected[i]);
      return 1;
    }
  return 0;
}

static void give_back(struct exchange* x) {
  free(x->sent.memory);
  free(x->received.memory);
  free(x->expected);
}

#define EQUAL s->memory, s->counts[0], s->type, r->memory, r->counts[0], r->type
#define COUNTED(counts, places) send, s->counts, s->places, s->type, r->memory, r->counts, r->places, r->type
#define TYPED(counts, places) send, s->counts, s->places, s->types, receive, r->counts, r->places, r->types
#define CALL(all, neighbor, how, counts, places, ...)          \
  switch (x->kind) {                                           \
    case V:                                                    \
      all##v##how(COUNTED(counts, places), __VA_ARGS__);       \
      break;                                                   \
    case W:                                                    \
      all##w##how(TYPED(counts, places), __VA_ARGS__);         \
      break;                                                   \
    case NEIGHBOR:                                             \
      neighbor##how(EQUAL, __VA_ARGS__);                       \
      break;                                                   \
    case NEIGHBOR_V:                                           \
      neighbor##v##how(COUNTED(counts, places), __VA_ARGS__);  \
      break;                                                   \
    case NEIGHBOR_W:                                           \
      neighbor##w##how(TYPED(counts, addresses), __VA_ARGS__); \
      break;                                                   \
    default:                                                   \
      all##how(EQUAL, __VA_ARGS__);                            \
  }

enum manner { BLOCKING, AT_ONCE, SET_UP };

/* In that manner. Types are freed at once, but where Open MPI's own call still needs them; arrays stay. */
static void call(struct exchange* x, enum manner manner, MPI_Request* request) {
  const MPI_Comm comm = comms[x->in];
  struct side *const s = &x->sent, *const r = &x->received;
  make_types(x, s);
  make_types(x, r);
  const void* const send = x->in_place ? MPI_IN_PLACE : x->absolute ? MPI_BOTTOM : s->memory;
  void* const receive = x->absolute ? MPI_BOTTOM : r->memory;
#if MPI_VERSION >= 4
  if (x->large && manner == BLOCKING) {
    CALL(MPI_Alltoall, MPI_Neighbor_alltoall, _c, large_counts, large_displacements, comm)
  } else if (x->large && manner == AT_ONCE) {
    CALL(MPI_Ialltoall, MPI_Ineighbor_alltoall, _c, large_counts, large_displacements, comm, request)
  } else if (x->large) {
    CALL(MPI_Alltoall, MPI_Neighbor_alltoall, _init_c, large_counts, large_displacements, comm, MPI_INFO_NULL,
         request)
  } else
#endif
      if (manner == BLOCKING) {
    CALL(MPI_Alltoall, MPI_Neighbor_alltoall, , counts, displacements, comm)
  } else if (manner == AT_ONCE) {
    CALL(MPI_Ialltoall, MPI_Ineighbor_alltoall, , counts, displacements, comm, request)
  } else {
    CALL(MPI_Alltoall, MPI_Neighbor_alltoall, _init, counts, displacements, comm, MPI_INFO_NULL, request)
  }
  if (manner == SET_UP) return;
  free_types(s);
  free_types(r);
}

/* Between now and then a blocking exchange, mostly of a pattern that others have too. */
static int blocking_goes_wrong(int number) {
  static struct exchange x;
  prepare(&x, number);
  call(&x, BLOCKING, NULL);
  const int wrong = is_wrong(&x);
  give_back(&x);
  return wrong;
}

static int start_in_order(int count, struct exchange* all, const int* set_up, MPI_Request* requests,
                          int number) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    set_up[i] ? MPI_Start(&requests[i]) : (call(&all[i], AT_ONCE, &requests[i]), 0);
    if (next(&common, 4) == 0) wrong |= blocking_goes_wrong(number + 50 + i);
    if (next(&common, 6) == 0) wrong |= broadcast_goes_wrong(comms[all[i].in], 0, 500, number);
  }
  return wrong;
}

/* The first one that is not started yet, of a communicator of this rank's choice, again and again. */
static void start_out_of_order(int count, struct exchange* all, const int* set_up, MPI_Request* requests) {
  int is_started[most] = {0};
  for (int left = count; left > 0;) {
    const int in = (int)next(&alone, communicators);
    for (int i = 0; i < count; ++i) {
      if (is_started[i] || all[i].in != in) continue;
      set_up[i] ? MPI_Start(&requests[i]) : (call(&all[i], AT_ONCE, &requests[i]), 0);
      is_started[i] = 1;
      --left;
      break;
    }
  }
}

/* A message to the next rank and one from that before it are outstanding beside the exchanges. */
static int run_once(int count, struct exchange* all, const int* set_up, MPI_Request* requests, int number) {
  int wrong = 0, out = own[0], in = -1;
  MPI_Irecv(&in, 1, MPI_INT, (own[0] + ranks[0] - 1) % ranks[0], 5, comms[0], &requests[count]);
  MPI_Isend(&out, 1, MPI_INT, (own[0] + 1) % ranks[0], 5, comms[0], &requests[count + 1]);
  if (next(&common, 2))
    wrong |= start_in_order(count, all, set_up, requests, number);
  else
    start_out_of_order(count, all, set_up, requests);
  end_all(count + 2, requests);
  for (int i = 0; i < count; ++i) {
    wrong |= (requests[i] == MPI_REQUEST_NULL) != !set_up[i];
    wrong |= is_wrong(&all[i]);
  }
  return wrong || in != (own[0] + ranks[0] - 1) % ranks[0];
}

static int run(int number) {
  static struct exchange all[most];
  MPI_Request requests[most + 2];
  int wrong = 0, set_up[most];
  const int count = 1 + (int)next(&common, most), starts = 1 + (int)next(&common, 3);
  for (int i = 0; i < count; ++i) {
    prepare(&all[i], number + i);
    set_up[i] = next(&common, 3) == 0;
    if (set_up[i]) call(&all[i], SET_UP, &requests[i]);
  }
  for (int start = 0; start < starts; ++start) {
    for (int i = 0; i < count; ++i) fill(&all[i], number + start * 1000 + i);
    wrong |= run_once(count, all, set_up, requests, number);
  }
  for (int i = 0; i < count; ++i) {
    if (set_up[i]) {
      MPI_Request_free(&requests[i]);
      free_types(&all[i].sent);
      free_types(&all[i].received);
    }
    give_back(&all[i]);
  }
  return wrong;
}

static void add(struct entries* of, int peer) {
  int turn = 0;
  for (int e = 0; e < of->number; ++e) turn += of->peers[e] == peer;
  of->peers[of->number] = peer == MPI_PROC_NULL ? -1 : peer;
  of->turns[of->number++] = turn;
}

/* No dimension of two ranks wraps around, so nobody is a neighbour twice. */
static void make_grid(void) {
  int sizes[2] = {0, 0};
  MPI_Dims_create(ranks[0], 2, sizes);
  const int wraps[2] = {sizes[0] > 2, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, wraps, 0, &comms[GRID]);
  for (int dimension = 0; dimension < 2; ++dimension) {
    int below, above;
    MPI_Cart_shift(comms[GRID], dimension, 1, &below, &above);
    add(&sources[GRID], below);
    add(&sources[GRID], above);
  }
  destinations[GRID] = sources[GRID];
}

/* Ranks are neighbours several times, of themselves too, or not at all. Weights are any numbers. */
static void make_lists(void) {
  const int p = ranks[0], me = own[0];
  for (int i = 0; i < p; ++i) {
    const int from = i, to = (me + 1 + i) % p;
    for (unsigned k = mixed((unsigned)from, (unsigned)me, 99) % 3; k > 0; --k) add(&sources[LISTS], from);
    for (unsigned k = mixed((unsigned)me, (unsigned)to, 99) % 3; k > 0; --k) add(&destinations[LISTS], to);
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources[LISTS].number, sources[LISTS].peers,
                                 sources[LISTS].peers, destinations[LISTS].number, destinations[LISTS].peers,
                                 destinations[LISTS].peers, MPI_INFO_NULL, 0, &comms[LISTS]);
}

static void make_communicators(void) {
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, own[0] % 2, -own[0], &comms[1]);
  make_grid();
  make_lists();
  for (int c = 0; c < communicators; ++c) {
    MPI_Comm_size(comms[c], &ranks[c]);
    MPI_Comm_rank(comms[c], &own[c]);
    for (int peer = 0; peer < ranks[c]; ++peer) add(&all_of[c], peer);
  }
}

int main(int argc, char** argv) {
  int wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own[0]);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks[0]);
  const int programs = atoi(argv[2]);
  common = strtoull(argv[1], NULL, 10);
  alone = common + 77 + (unsigned long long)own[0];
  make_communicators();
  for (int i = 0; i < programs && !wrong; ++i) wrong = run(i);
  for (int c = 1; c < communicators; ++c) MPI_Comm_free(&comms[c]);
  if (own[0] == 0) printf("%d programs\n", programs);
  return end_with(wrong);
}
