/* Every mistake in every collective, the same on all ranks; prints the classes of the errors on all ranks. A good broadcast after each.
 *
 *   errors return [COLLECTIVE/MISTAKE...]   all but those named, which crash the MPI library
 *   errors abort COLLECTIVE/MISTAKE         this one, with the default error handler */
#include <string.h>

#include "check.h"

enum { COUNT = 100, RANKS_AT_MOST = 8, ITEMS = 2 * COUNT * RANKS_AT_MOST };

static double data[ITEMS], result[ITEMS]; /* items of any type below have room */

typedef struct {
  void *sent, *received;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
  MPI_Comm comm;
} Arguments;

static const int* counts(int count) {
  static int all[RANKS_AT_MOST];
  for (int i = 0; i < RANKS_AT_MOST; ++i) all[i] = count;
  return all;
}

static const int* displacements(void) {
  static int all[RANKS_AT_MOST];
  for (int i = 0; i < RANKS_AT_MOST; ++i) all[i] = i * COUNT;
  return all;
}

static int bcast(Arguments a) { return MPI_Bcast(a.received, a.count, a.type, a.root, a.comm); }
static int reduce(Arguments a) {
  return MPI_Reduce(a.sent, a.received, a.count, a.type, a.op, a.root, a.comm);
}
static int allreduce(Arguments a) { return MPI_Allreduce(a.sent, a.received, a.count, a.type, a.op, a.comm); }
static int allgather(Arguments a) {
  return MPI_Allgather(a.sent, a.count, a.type, a.received, a.count, a.type, a.comm);
}
static int allgatherv(Arguments a) {
  return MPI_Allgatherv(a.sent, a.count, a.type, a.received, counts(a.count), displacements(), a.type,
                        a.comm);
}
static int reduce_scatter(Arguments a) {
  return MPI_Reduce_scatter(a.sent, a.received, counts(a.count), a.type, a.op, a.comm);
}
static int reduce_scatter_block(Arguments a) {
  return MPI_Reduce_scatter_block(a.sent, a.received, a.count, a.type, a.op, a.comm);
}
static int scan(Arguments a) { return MPI_Scan(a.sent, a.received, a.count, a.type, a.op, a.comm); }
static int exscan(Arguments a) { return MPI_Exscan(a.sent, a.received, a.count, a.type, a.op, a.comm); }

static int alltoall(Arguments a) {
  return MPI_Alltoall(a.sent, a.count, a.type, a.received, a.count, a.type, a.comm);
}
static int alltoallv(Arguments a) {
  return MPI_Alltoallv(a.sent, counts(a.count), displacements(), a.type, a.received, counts(a.count),
                       displacements(), a.type, a.comm);
}
static int alltoallw(Arguments a) {
  MPI_Datatype types[RANKS_AT_MOST];
  for (int i = 0; i < RANKS_AT_MOST; ++i) types[i] = a.type;
  return MPI_Alltoallw(a.sent, counts(a.count), displacements(), types, a.received, counts(a.count),
                       displacements(), types, a.comm);
}

/* What a collective has besides the arguments that all have, and what a mistake can only be made with.
 * RECEIVED: a buffer that matters on all ranks alike. */
enum { NOTHING = 0, ROOT = 1, OP = 2, RECEIVED = 4, SENT = 8 };

static const struct {
  const char* name;
  int (*call)(Arguments);
  int has;
} collectives[] = {
    {"bcast", bcast, ROOT | RECEIVED},
    {"reduce", reduce, ROOT | OP | SENT},
    {"allreduce", allreduce, OP | SENT | RECEIVED},
    {"allgather", allgather, SENT | RECEIVED},
    {"allgatherv", allgatherv, SENT | RECEIVED},
    {"reduce_scatter", reduce_scatter, OP | SENT | RECEIVED},
    {"reduce_scatter_block", reduce_scatter_block, OP | SENT | RECEIVED},
    {"scan", scan, OP | SENT | RECEIVED},
    {"exscan", exscan, OP | SENT},
    {"alltoall", alltoall, SENT | RECEIVED},
    {"alltoallv", alltoallv, SENT | RECEIVED},
    {"alltoallw", alltoallw, SENT | RECEIVED},
};

static MPI_Datatype dense, strided, committed; /* the first two are not committed */

static void negative_count(Arguments* a) { a->count = -1; }
static void null_type(Arguments* a) { a->type = MPI_DATATYPE_NULL; }
static void uncommitted_dense(Arguments* a) { a->type = dense, a->count = 3; }
static void uncommitted_strided(Arguments* a) { a->type = strided, a->count = 3; }
static void null_comm(Arguments* a) { a->comm = MPI_COMM_NULL; }
static void received_in_place(Arguments* a) { a->received = MPI_IN_PLACE; }
static void null_buffer(Arguments* a) { a->received = NULL; }
static void same_buffer(Arguments* a) { a->sent = a->received; }
static void negative_root(Arguments* a) { a->root = -3; }
static void large_root(Arguments* a) { a->root = 1000; }
static void null_op(Arguments* a) { a->op = MPI_OP_NULL; }
static void op_of_other_types(Arguments* a) { a->op = MPI_BAND, a->type = MPI_DOUBLE; }
static void op_of_pairs(Arguments* a) { a->op = MPI_MINLOC; }
static void op_of_no_derived_type(Arguments* a) { a->type = committed, a->count = 3; }

static const struct {
  const char* name;
  void (*make)(Arguments*);
  int needs;
} mistakes[] = {
    {"negative_count", negative_count, NOTHING},
    {"null_type", null_type, NOTHING},
    {"uncommitted_dense", uncommitted_dense, NOTHING},
    {"uncommitted_strided", uncommitted_strided, NOTHING},
    {"null_comm", null_comm, NOTHING},
    {"received_in_place", received_in_place, RECEIVED},
    {"null_buffer", null_buffer, RECEIVED},
    {"same_buffer", same_buffer, SENT | RECEIVED},
    {"same_buffer_at_root", same_buffer, ROOT | SENT},
    {"negative_root", negative_root, ROOT},
    {"large_root", large_root, ROOT},
    {"null_op", null_op, OP},
    {"op_of_other_types", op_of_other_types, OP},
    {"op_of_pairs", op_of_pairs, OP},
    {"op_of_no_derived_type", op_of_no_derived_type, OP},
};

enum {
  COLLECTIVES = sizeof collectives / sizeof *collectives,
  MISTAKES = sizeof mistakes / sizeof *mistakes
};

static void name_pair(char name[80], int collective, int mistake) {
  snprintf(name, 80, "%s/%s", collectives[collective].name, mistakes[mistake].name);
}

static int call_with(int collective, int mistake) {
  Arguments arguments = {data, result, COUNT, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD};
  mistakes[mistake].make(&arguments);
  return collectives[collective].call(arguments);
}

static int is_named(const char* name, char** names) {
  while (*names != NULL && strcmp(*names, name) != 0) ++names;
  return *names != NULL;
}

static void print_classes(const char* name, int class) {
  int rank, ranks, classes[RANKS_AT_MOST];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Gather(&class, 1, MPI_INT, classes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  printf("%s:", name);
  for (int r = 0; r < ranks; ++r) printf(" %d", classes[r]);
  printf("\n");
  fflush(stdout);
}

static int returned(int collective, int mistake, char** left_out) {
  char name[80];
  name_pair(name, collective, mistake);
  if ((mistakes[mistake].needs & ~collectives[collective].has) != 0 || is_named(name, left_out)) return 0;
  int class;
  MPI_Error_class(call_with(collective, mistake), &class);
  print_classes(name, class);
  return broadcast_goes_wrong(MPI_COMM_WORLD, 1, 1000, mistake);
}

static void call_named(const char* wanted) {
  char name[80];
  for (int c = 0; c < COLLECTIVES; ++c) {
    for (int m = 0; m < MISTAKES; ++m) {
      name_pair(name, c, m);
      if (strcmp(name, wanted) == 0) call_with(c, m);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(COUNT, MPI_INT, &dense);
  MPI_Type_vector(COUNT, 1, 2, MPI_INT, &strided);
  MPI_Type_contiguous(2, MPI_INT, &committed);
  MPI_Type_commit(&committed);
  if (strcmp(argv[1], "abort") == 0) {
    call_named(argv[2]);
    return end_with(0); /* not reached */
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF,
                          MPI_ERRORS_RETURN); /* where MPI-4 raises errors without a communicator */
  int wrong = 0;
  for (int c = 0; c < COLLECTIVES; ++c) {
    for (int m = 0; m < MISTAKES; ++m) wrong |= returned(c, m, argv + 2);
  }
  return end_with(wrong);
}
