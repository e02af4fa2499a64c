/* Collectives that return at once, several of them outstanding, ended by every form of wait and test.
 *
 *   started SEED PROGRAMS   so many random programs: all ranks start the same operations in the same order on each of three
 *                           communicators, either with blocking calls between, or with those of different communicators in
 *                           orders of their own; and end them in orders of their own, with messages between
 *
 * Prints how many there were on rank 0; its status is 1 if any rank's data are wrong. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ends.h"

enum { most = 8, communicators = 3, kinds = 10 };

static MPI_Comm comms[communicators];
static int ranks[communicators], own[communicators];

/* One operation, its buffers, and what they are to hold in the end. */
struct started {
  int kind, in, root, count;
  long *sent, *received, *expected;
  int *counts, *places;
  int received_items;
};

static long value(int rank, int i, int number) { return (long)rank * 1000003 + (long)i * 7 + number; }

static long sum_below(int last, int i, int number) {
  long sum = 0;
  for (int r = 0; r < last; ++r) sum += value(r, i, number);
  return sum;
}

static void prepare(struct started* op, int number) {
  op->kind = (int)next(&common, kinds);
  op->in = (int)next(&common, communicators);
  const int p = ranks[op->in], me = own[op->in];
  op->root = (int)next(&common, (unsigned)p);
  op->count = 1 + (int)next(&common, 3000);
  const int n = op->count;
  const size_t all = (size_t)n * (size_t)p + (size_t)p * (size_t)p;
  op->sent = malloc(all * sizeof(long));
  op->received = malloc(all * sizeof(long));
  op->expected = malloc(all * sizeof(long));
  op->counts = malloc((size_t)p * sizeof(int));
  op->places = malloc((size_t)p * sizeof(int));
  int sum = 0;
  for (int r = 0; r < p; ++r) {
    op->counts[r] = n + r;
    op->places[r] = sum;
    sum += n + r;
  }
  for (size_t i = 0; i < all; ++i) {
    op->sent[i] = value(me, (int)i, number);
    op->received[i] = op->expected[i] = -1;
  }
  op->received_items = n;
  switch (op->kind) {
    case 0: /* bcast */
      for (int i = 0; i < n; ++i) op->expected[i] = value(op->root, i, number);
      if (me == op->root) memcpy(op->received, op->sent, (size_t)n * sizeof(long));
      break;
    case 1: /* reduce */
      for (int i = 0; i < n; ++i)
        if (me == op->root) op->expected[i] = sum_below(p, i, number);
      break;
    case 2: /* allreduce */
    case 3: /* the same in place */
      for (int i = 0; i < n; ++i) op->expected[i] = sum_below(p, i, number);
      if (op->kind == 3) memcpy(op->received, op->sent, (size_t)n * sizeof(long));
      break;
    case 4: /* allgather */
      op->received_items = n * p;
      for (int r = 0; r < p; ++r)
        for (int i = 0; i < n; ++i) op->expected[r * n + i] = value(r, i, number);
      break;
    case 5: /* allgatherv */
      op->received_items = sum;
      for (int r = 0; r < p; ++r)
        for (int i = 0; i < op->counts[r]; ++i) op->expected[op->places[r] + i] = value(r, i, number);
      break;
    case 6: /* reduce_scatter_block */
      for (int i = 0; i < n; ++i) op->expected[i] = sum_below(p, me * n + i, number);
      break;
    case 7: /* scan */
      for (int i = 0; i < n; ++i) op->expected[i] = sum_below(me + 1, i, number);
      break;
    case 8: /* exscan */
      for (int i = 0; i < n; ++i)
        if (me > 0) op->expected[i] = sum_below(me, i, number);
      break;
    default: /* alltoall */
      op->received_items = n * p;
      for (int r = 0; r < p; ++r)
        for (int i = 0; i < n; ++i) op->expected[r * n + i] = value(r, me * n + i, number);
  }
}

/* With a type of the program's own every third time, which is freed at once. */
static void start(struct started* op, MPI_Request* request) {
  const MPI_Comm comm = comms[op->in];
  const int n = op->count;
  MPI_Datatype type = MPI_LONG;
  const int is_derived = op->kind == 0 && n % 3 == 0;
  if (is_derived) {
    MPI_Type_vector(n, 1, 1, MPI_LONG, &type);
    MPI_Type_commit(&type);
  }
  switch (op->kind) {
    case 0:
      MPI_Ibcast(op->received, is_derived ? 1 : n, type, op->root, comm, request);
      break;
    case 1:
      MPI_Ireduce(op->sent, op->received, n, MPI_LONG, MPI_SUM, op->root, comm, request);
      break;
    case 2:
      MPI_Iallreduce(op->sent, op->received, n, MPI_LONG, MPI_SUM, comm, request);
      break;
    case 3:
      MPI_Iallreduce(MPI_IN_PLACE, op->received, n, MPI_LONG, MPI_SUM, comm, request);
      break;
    case 4:
      MPI_Iallgather(op->sent, n, MPI_LONG, op->received, n, MPI_LONG, comm, request);
      break;
    case 5:
      MPI_Iallgatherv(op->sent, op->counts[own[op->in]], MPI_LONG, op->received, op->counts, op->places,
                      MPI_LONG, comm, request);
      break;
    case 6:
      MPI_Ireduce_scatter_block(op->sent, op->received, n, MPI_LONG, MPI_SUM, comm, request);
      break;
    case 7:
      MPI_Iscan(op->sent, op->received, n, MPI_LONG, MPI_SUM, comm, request);
      break;
    case 8:
      MPI_Iexscan(op->sent, op->received, n, MPI_LONG, MPI_SUM, comm, request);
      break;
    default:
      MPI_Ialltoall(op->sent, n, MPI_LONG, op->received, n, MPI_LONG, comm, request);
  }
  if (is_derived) MPI_Type_free(&type);
}

static int is_wrong(const struct started* op) {
  for (int i = 0; i < op->received_items; ++i)
    if (op->received[i] != op->expected[i]) {
      fprintf(stderr, "kind %d, item %d of %d: %ld, not %ld\n", op->kind, i, op->received_items,
              op->received[i], op->expected[i]);
      return 1;
    }
  return 0;
}

static void give_back(struct started* op) {
  free(op->sent);
  free(op->received);
  free(op->expected);
  free(op->counts);
  free(op->places);
}

/* With a blocking call between now and then. */
static int start_in_order(int count, struct started* ops, MPI_Request* requests, int number) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    start(&ops[i], &requests[i]);
    if (next(&common, 4) == 0) wrong |= broadcast_goes_wrong(comms[ops[i].in], ops[i].root, 500, number);
  }
  return wrong;
}

/* The first one that is not started yet, of a communicator of this rank's choice, again and again. */
static void start_out_of_order(int count, struct started* ops, MPI_Request* requests) {
  int is_started[most] = {0};
  for (int left = count; left > 0;) {
    const int in = (int)next(&alone, communicators);
    for (int i = 0; i < count; ++i) {
      if (is_started[i] || ops[i].in != in) continue;
      start(&ops[i], &requests[i]);
      is_started[i] = 1;
      --left;
      break;
    }
  }
}

/* A message to the next rank and one from that before it are outstanding beside the collectives. */
static int run(int number) {
  struct started ops[most];
  MPI_Request requests[2 * most];
  const int count = 1 + (int)next(&common, most);
  int wrong = 0, in_all = 0, out = own[0], in = -1;
  const int with_messages = (int)next(&common, 2);
  if (with_messages) {
    MPI_Irecv(&in, 1, MPI_INT, (own[0] + ranks[0] - 1) % ranks[0], 5, comms[0], &requests[in_all++]);
    MPI_Isend(&out, 1, MPI_INT, (own[0] + 1) % ranks[0], 5, comms[0], &requests[in_all++]);
  }
  for (int i = 0; i < count; ++i) prepare(&ops[i], number + i);
  if (next(&common, 2))
    wrong |= start_in_order(count, ops, requests + in_all, number);
  else
    start_out_of_order(count, ops, requests + in_all);
  in_all += count;
  end_all(in_all, requests);
  for (int i = 0; i < in_all; ++i) wrong |= requests[i] != MPI_REQUEST_NULL;
  if (with_messages) wrong |= in != (own[0] + ranks[0] - 1) % ranks[0];
  for (int i = 0; i < count; ++i) {
    wrong |= is_wrong(&ops[i]);
    give_back(&ops[i]);
  }
  return wrong;
}

int main(int argc, char** argv) {
  int rank, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int programs = atoi(argv[2]);
  common = strtoull(argv[1], NULL, 10);
  alone = common + 77 + (unsigned long long)rank;
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
  for (int c = 0; c < communicators; ++c) {
    MPI_Comm_size(comms[c], &ranks[c]);
    MPI_Comm_rank(comms[c], &own[c]);
  }
  for (int i = 0; i < programs && !wrong; ++i) wrong = run(i);
  /* Freed while it has an operation outstanding. */
  long last = rank;
  MPI_Request request;
  MPI_Ibcast(&last, 1, MPI_LONG, 0, comms[1], &request);
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  wrong |= last != 0;
  if (rank == 0) printf("%d programs\n", programs);
  return end_with(wrong);
}
