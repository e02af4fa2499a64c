/* Mistakes that all ranks make alike, under a handler that counts: the codes that calls return, and how often
 * they call it.
 *
 *   handled CASE...
 *
 * Rank 0 prints for each case the classes of the errors and the calls of the handlers, on all ranks. A good
 * broadcast after each. */
#include <string.h>

#include "check.h"

enum { COUNT = 1000, RANKS_AT_MOST = 8 };

static double sent[COUNT * RANKS_AT_MOST], got[COUNT * RANKS_AT_MOST];
static int rank, counts[RANKS_AT_MOST], places[RANKS_AT_MOST], handler_calls;
static MPI_Datatype types[RANKS_AT_MOST];

/* What a collective is called with; each call ignores what it has not. */
typedef struct {
  int count;
  const int *counts, *places;
  MPI_Datatype type, own_type; /* the latter for the rank itself */
  MPI_Comm comm;
} With;

static int bcast(With w) { return MPI_Bcast(got, w.count, w.type, 0, w.comm); }
static int reduce(With w) { return MPI_Reduce(sent, got, w.count, w.type, MPI_SUM, 0, w.comm); }
static int allreduce(With w) { return MPI_Allreduce(sent, got, w.count, w.type, MPI_SUM, w.comm); }
static int scan(With w) { return MPI_Scan(sent, got, w.count, w.type, MPI_SUM, w.comm); }
static int exscan(With w) { return MPI_Exscan(sent, got, w.count, w.type, MPI_SUM, w.comm); }
static int allgather(With w) { return MPI_Allgather(sent, w.count, w.type, got, w.count, w.type, w.comm); }
static int alltoall(With w) { return MPI_Alltoall(sent, w.count, w.type, got, w.count, w.type, w.comm); }

static int allgatherv(With w) {
  return MPI_Allgatherv(sent, w.count, w.type, got, w.counts, w.places, w.type, w.comm);
}

static int reduce_scatter(With w) { return MPI_Reduce_scatter(sent, got, w.counts, w.type, MPI_SUM, w.comm); }

static int reduce_scatter_block(With w) {
  return MPI_Reduce_scatter_block(sent, got, w.count, w.type, MPI_SUM, w.comm);
}

static int alltoallv(With w) {
  return MPI_Alltoallv(sent, w.counts, w.places, w.type, got, w.counts, w.places, w.type, w.comm);
}

static int alltoallw(With w) {
  for (int i = 0; i < RANKS_AT_MOST; ++i) types[i] = i == rank ? w.own_type : w.type;
  return MPI_Alltoallw(sent, w.counts, w.places, types, got, w.counts, w.places, types, w.comm);
}

static const struct {
  const char* name;
  int (*call)(With);
} collectives[] = {
    {"bcast", bcast},
    {"reduce", reduce},
    {"allreduce", allreduce},
    {"scan", scan},
    {"exscan", exscan},
    {"allgather", allgather},
    {"alltoall", alltoall},
    {"allgatherv", allgatherv},
    {"reduce_scatter", reduce_scatter},
    {"reduce_scatter_block", reduce_scatter_block},
    {"alltoallv", alltoallv},
    {"alltoallw", alltoallw},
};

static MPI_Datatype uncommitted;
static MPI_Comm freed;

static void null_counts(With* w) { w->counts = NULL; }
static void null_places(With* w) { w->places = NULL; }
static void freed_communicator(With* w) { w->comm = freed; }
static void uncommitted_type(With* w) { w->type = w->own_type = uncommitted; }

/* Nothing of the type that is not committed. */
static void uncommitted_nothing(With* w) {
  static const int zeros[RANKS_AT_MOST];
  w->count = 0, w->counts = zeros, w->type = w->own_type = uncommitted;
}

/* The same for the rank itself only: the others have data. */
static void uncommitted_own_nothing(With* w) {
  static int all_but_own[RANKS_AT_MOST];
  for (int i = 0; i < RANKS_AT_MOST; ++i) all_but_own[i] = i == rank ? 0 : COUNT;
  w->counts = all_but_own, w->own_type = uncommitted;
}

static const struct {
  const char* name;
  void (*make)(With*);
} mistakes[] = {{"null_counts", null_counts},
                {"null_places", null_places},
                {"freed_communicator", freed_communicator},
                {"uncommitted_type", uncommitted_type},
                {"uncommitted_nothing", uncommitted_nothing},
                {"uncommitted_own_nothing", uncommitted_own_nothing}};

static void count_calls(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handler_calls;
}

static void print_all(const char* name, int class) {
  int ranks, own[2] = {class, handler_calls}, all[2 * RANKS_AT_MOST];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  printf("%s:", name);
  for (int r = 0; r < ranks; ++r) printf(" %d by %d", all[2 * r], all[2 * r + 1]);
  printf("\n");
  fflush(stdout);
}

static int goes_wrong(const char* wanted, int collective, int mistake) {
  char name[80];
  snprintf(name, sizeof name, "%s/%s", collectives[collective].name, mistakes[mistake].name);
  if (strcmp(name, wanted) != 0) return 0;
  With with = {COUNT, counts, places, MPI_INT, MPI_INT, MPI_COMM_WORLD};
  mistakes[mistake].make(&with);
  handler_calls = 0;
  int class;
  MPI_Error_class(collectives[collective].call(with), &class);
  print_all(name, class);
  return broadcast_goes_wrong(MPI_COMM_WORLD, 1, 1000, mistake);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count_calls, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler); /* where MPI-4 raises errors without a communicator */
  for (int i = 0; i < RANKS_AT_MOST; ++i) counts[i] = COUNT, places[i] = i * COUNT;
  MPI_Type_contiguous(1, MPI_INT, &uncommitted);
  int wrong = broadcast_goes_wrong(MPI_COMM_WORLD, 0, 100000, 1); /* who makes communicators has made them */
  MPI_Comm to_free;
  MPI_Comm_dup(MPI_COMM_WORLD, &to_free);
  freed = to_free;
  MPI_Comm_free(&to_free);
  for (int i = 1; i < argc; ++i)
    for (size_t c = 0; c < sizeof collectives / sizeof *collectives; ++c)
      for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m)
        wrong |= goes_wrong(argv[i], (int)c, (int)m);
  MPI_Errhandler_free(&handler);
  return end_with(wrong);
}
