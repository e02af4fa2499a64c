/* Random all-to-many calls: alltoall, alltoallv and alltoallw, in place and not, of equal, sparse and skewed messages.
 *
 *   exchanges SEED CASES      every case is called twice, with other data
 *
 * Every rank checks all of its memory, gaps and margins too, against what it must be. Rank 0 prints one line
 * for each call with a hash of every rank's memory, then how many calls had messages. Ends with 1 if any
 * memory was wrong. */
#include <stdio.h>

#include "cases.h"
#include "layouts.h"

enum { ALLTOALL, ALLTOALLV, ALLTOALLW, CALLS };
enum { EQUAL, SPARSE, SKEWED, ONE_SENDER, NOTHING, PATTERNS };
enum { RANKS_AT_MOST = 32 };

static int rank, ranks, wrong;
static long mark; /* of the present call */

/* A case, the same on all ranks. */
typedef struct {
  long number;
  int call, pattern, family, in_place, large, absolute;
} Case;

static Case case_of(long number) {
  Case c = {.number = number};
  c.call = (int)(mixed((uint64_t)number, 1, 0) % CALLS);
  if (c.call == ALLTOALLW && ranks == 1)
    c.call = ALLTOALLV; /* Open MPI forgets the displacements of a single rank */
  c.pattern = c.call == ALLTOALL ? EQUAL : (int)(mixed((uint64_t)number, 2, 0) % 16);
  if (c.pattern >= PATTERNS) c.pattern = c.pattern % 3;
  c.family = (int)(mixed((uint64_t)number, 3, 0) % FAMILIES);
  c.in_place = mixed((uint64_t)number, 4, 0) % 3 == 0;
  c.large = mixed((uint64_t)number, 5, 0) % 2 == 0;
  c.absolute = c.call == ALLTOALLW && mixed((uint64_t)number, 6, 0) % 4 == 0;
  return c;
}

/* The units of the message between two ranks; in place, as many both ways. */
static long units_of(const Case* c, int from, int to) {
  const int one = c->in_place && from > to ? to : from, other = c->in_place && from > to ? from : to;
  const uint64_t any = mixed((uint64_t)c->number, 100 + (uint64_t)one, 200 + (uint64_t)other);
  switch (c->pattern) {
    case EQUAL:
      return 1 + (long)(mixed((uint64_t)c->number, 7, 0) % 300);
    case SPARSE:
      return any % 3 == 0 ? 1 + (long)(any / 3 % 200) : 0;
    case SKEWED:
      return (long)(1u << (any % 12)) - 1;
    case ONE_SENDER:
      return one == (int)(c->number % ranks) ? (long)(any % 100) : 0;
    default:
      return 0;
  }
}

/* Where the messages of one side lie, and how. */
typedef struct {
  char* arena;
  char* expected;
  long size;
  long origin; /* of the buffer's address */
  Layout layouts[RANKS_AT_MOST];
  int counts[RANKS_AT_MOST], displacements[RANKS_AT_MOST];
  MPI_Datatype types[RANKS_AT_MOST];
} Side;

static int from_of, to_of;
static char payload(long k) { return (char)(k * 7 + k / 251 + mark * 13 + from_of * 31 + to_of * 17 + 1); }
static char gap(long i) { return (char)(i * 3 + rank * 5 + mark + 2); }

/* With alltoallw every message has any layout; otherwise all have the same type, also with gaps, and lie one after the other,
 * with alltoallv not in the order of ranks. */
static void lay_out(const Case* c, Side* side, int receives) {
  long at = 0, slot = 0;
  side->size = 0;
  for (int i = 0; i < ranks; ++i)
    side->size += arena_bytes(c->family, units_of(c, receives ? i : rank, receives ? rank : i) + 2);
  side->size += 4 * MARGIN;
  side->arena = malloc((size_t)side->size);
  side->expected = malloc((size_t)side->size);
  side->origin = c->call == ALLTOALLW ? 0 : 2 * MARGIN;
  for (int i = 0; i < ranks; ++i) {
    const int peer = c->call == ALLTOALLV ? (i * (ranks > 2 && ranks % 2 != 0 ? 2 : 1)) % ranks : i;
    const long units = units_of(c, receives ? peer : rank, receives ? rank : peer);
    const uint64_t any =
        mixed((uint64_t)c->number, 300 + (uint64_t)rank, 400 + (uint64_t)peer * 2 + (uint64_t)receives);
    int kind = c->call == ALLTOALLW
                   ? (int)(any % ABSOLUTE)
                   : (int)(mixed((uint64_t)c->number, 8 + (uint64_t)receives, (uint64_t)rank) % 2);
    if (c->absolute) kind = ABSOLUTE;
    if (units == 0 && c->call == ALLTOALLW) kind = c->absolute ? GAPS : PLAIN;
    side->layouts[peer] = layout_of(kind, c->family, units, side->arena + slot);
    Layout* const layout = &side->layouts[peer];
    if (c->call == ALLTOALLW) {
      layout->base += slot;
      slot += arena_bytes(c->family, units + 2);
      side->displacements[peer] = c->absolute ? 0 : (int)layout->base;
    } else {
      layout->base = side->origin + at * layout->extent;
      side->displacements[peer] = (int)at;
      at += units + (c->call == ALLTOALLV ? i % 2 : 0);
    }
    side->counts[peer] = (int)layout->count;
    side->types[peer] = layout->type;
  }
}

static void fill(const Case* c, Side* side, int receives, int before) {
  for (long i = 0; i < side->size; ++i) side->expected[i] = gap(i + receives);
  for (int peer = 0; peer < ranks; ++peer) {
    const int outgoing = !receives || (before && c->in_place);
    from_of = outgoing ? rank : peer, to_of = outgoing ? peer : rank;
    if (!receives || !before || c->in_place) place(side->expected, &side->layouts[peer], payload);
  }
}

#if MPI_VERSION >= 4
static void call_large(const Case* c, const void* send, Side* sent, void* receive, Side* received) {
  MPI_Count counts[2][RANKS_AT_MOST];
  MPI_Aint displacements[2][RANKS_AT_MOST];
  for (int i = 0; i < ranks; ++i) {
    counts[0][i] = sent->counts[i], counts[1][i] = received->counts[i];
    displacements[0][i] = sent->displacements[i], displacements[1][i] = received->displacements[i];
  }
  if (c->call == ALLTOALL)
    MPI_Alltoall_c(send, counts[0][0], sent->types[0], receive, counts[1][0], received->types[0],
                   MPI_COMM_WORLD);
  if (c->call == ALLTOALLV)
    MPI_Alltoallv_c(send, counts[0], displacements[0], sent->types[0], receive, counts[1], displacements[1],
                    received->types[0], MPI_COMM_WORLD);
  if (c->call == ALLTOALLW)
    MPI_Alltoallw_c(send, counts[0], displacements[0], sent->types, receive, counts[1], displacements[1],
                    received->types, MPI_COMM_WORLD);
}
#endif

static void call(const Case* c, Side* sent, Side* received) {
  const void* send = c->absolute ? MPI_BOTTOM : sent->arena + sent->origin;
  void* const receive = c->absolute ? MPI_BOTTOM : received->arena + received->origin;
  if (c->in_place) send = MPI_IN_PLACE;
#if MPI_VERSION >= 4
  if (c->large) {
    call_large(c, send, sent, receive, received);
    return;
  }
#endif
  if (c->call == ALLTOALL)
    MPI_Alltoall(send, sent->counts[0], sent->types[0], receive, received->counts[0], received->types[0],
                 MPI_COMM_WORLD);
  if (c->call == ALLTOALLV)
    MPI_Alltoallv(send, sent->counts, sent->displacements, sent->types[0], receive, received->counts,
                  received->displacements, received->types[0], MPI_COMM_WORLD);
  if (c->call == ALLTOALLW)
    MPI_Alltoallw(send, sent->counts, sent->displacements, sent->types, receive, received->counts,
                  received->displacements, received->types, MPI_COMM_WORLD);
}

static void compare(const Case* c, const Side* side, const char* name) {
  if (memcmp(side->arena, side->expected, (size_t)side->size) == 0) return;
  wrong = 1;
  fprintf(stderr,
          "wrong %s memory: rank %d of %d, case %ld (call %d, pattern %d, family %d, in place %d, large %d, "
          "absolute %d)\n",
          name, rank, ranks, c->number, c->call, c->pattern, c->family, c->in_place, c->large, c->absolute);
}

static uint64_t one_call(const Case* c) {
  Side sent, received;
  lay_out(c, &sent, 0);
  lay_out(c, &received, 1);
  fill(c, &sent, 0, 1);
  memcpy(sent.arena, sent.expected, (size_t)sent.size);
  fill(c, &received, 1, 1);
  memcpy(received.arena, received.expected, (size_t)received.size);
  fill(c, &received, 1, 0);
  call(c, &sent, &received);
  compare(c, &sent, "sent");
  compare(c, &received, "received");
  const uint64_t hash = hash_of(received.arena, received.size);
  for (int i = 0; i < ranks; ++i) free(sent.layouts[i].segments), free(received.layouts[i].segments);
  free(sent.arena), free(sent.expected), free(received.arena), free(received.expected);
  return hash;
}

static int has_messages(const Case* c) {
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      if (from != to && units_of(c, from, to) > 0) return 1;
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  const long cases = argc > 2 ? atol(argv[2]) : 1;
  uint64_t all[RANKS_AT_MOST];
  long with_messages = 0;
  for (mark = 0; mark < 2 * cases; ++mark) {
    const Case c = case_of(mark / 2);
    with_messages += has_messages(&c);
    const uint64_t hash = one_call(&c);
    MPI_Gather(&hash, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank != 0) continue;
    printf("call %ld:", mark);
    for (int r = 0; r < ranks; ++r) printf(" %016llx", (unsigned long long)all[r]);
    printf("\n");
  }
  int any_wrong = 0;
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("with messages: %ld\n", with_messages);
  MPI_Finalize();
  return any_wrong;
}
