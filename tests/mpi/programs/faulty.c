/* One call of each collective after the other, on communicators of this program's, with checked results. At the first error it
 * does what the default error handler would: it says which call failed, and ends the job, with status 3.
 * Wrong results: 4.
 *
 *   faulty [KIND...]     these only; none: all */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 700, RANKS_AT_MOST = 8, GAP = 2 };

static int world_rank, world_ranks;

/* MPICH's MPI_Abort may return before the job has ended. */
static void end_job(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  _Exit(status);
}

static void must(const char* what, int code) {
  if (code == MPI_SUCCESS) return;
  int class = 0;
  MPI_Error_class(code, &class);
  fprintf(stderr, "faulty: rank %d: %s: error of class %d\n", world_rank, what, class);
  end_job(3);
}

#define MUST(call) must(#call, call)

/* COUNT numbers for each rank, every GAP-th an item of a strided type. */
static int sent[RANKS_AT_MOST * COUNT * GAP], got[RANKS_AT_MOST * COUNT * GAP];

static int value(int owner, int i) { return owner * 10007 + i; }

static void expect(const char* what, int is_right, int i) {
  if (is_right) return;
  fprintf(stderr, "faulty: rank %d: %s: wrong at %d\n", world_rank, what, i);
  end_job(4);
}

static void fill(int owner) {
  for (int i = 0; i < RANKS_AT_MOST * COUNT * GAP; ++i) sent[i] = value(owner, i), got[i] = -1;
}

static int sum(int ranks, int i) {
  int result = 0;
  for (int owner = 0; owner < ranks; ++owner) result += value(owner, i);
  return result;
}

static void bcast(MPI_Comm comm, int rank, int ranks) {
  for (int i = 0; i < COUNT; ++i) got[i] = rank == ranks - 1 ? value(rank, i) : -1;
  MUST(MPI_Bcast(got, COUNT, MPI_INT, ranks - 1, comm));
  for (int i = 0; i < COUNT; ++i) expect("bcast", got[i] == value(ranks - 1, i), i);
}

/* Items with gaps between them, each of which is a type of its own. */
static void bcast_strided(MPI_Comm comm, int rank, int ranks) {
  MPI_Datatype column, item;
  MUST(MPI_Type_vector(3, 1, GAP, MPI_INT, &column));
  MUST(MPI_Type_create_resized(column, 0, 3 * GAP * (MPI_Aint)sizeof(int), &item));
  MUST(MPI_Type_commit(&item));
  (void)ranks;
  for (int i = 0; i < COUNT * GAP; ++i) got[i] = rank == 0 ? value(0, i) : -1;
  MUST(MPI_Bcast(got, COUNT / 3, item, 0, comm));
  for (int i = 0; i < COUNT / 3 * 3 * GAP; ++i)
    expect("strided bcast", got[i] == (rank == 0 || i % GAP == 0 ? value(0, i) : -1), i);
  MUST(MPI_Type_free(&item));
  MUST(MPI_Type_free(&column));
}

static void reduce(MPI_Comm comm, int rank, int ranks) {
  fill(rank);
  MUST(MPI_Reduce(sent, got, COUNT, MPI_INT, MPI_SUM, 0, comm));
  for (int i = 0; i < COUNT; ++i) expect("reduce", got[i] == (rank == 0 ? sum(ranks, i) : -1), i);
}

static void allreduce(MPI_Comm comm, int rank, int ranks) {
  fill(rank);
  MUST(MPI_Allreduce(sent, got, COUNT, MPI_INT, MPI_SUM, comm));
  for (int i = 0; i < COUNT; ++i) expect("allreduce", got[i] == sum(ranks, i), i);
}

static void allgather(MPI_Comm comm, int rank, int ranks) {
  fill(rank);
  MUST(MPI_Allgather(sent, COUNT, MPI_INT, got, COUNT, MPI_INT, comm));
  for (int i = 0; i < ranks * COUNT; ++i) expect("allgather", got[i] == value(i / COUNT, i % COUNT), i);
}

/* Of rank r COUNT - r numbers. */
static void allgatherv(MPI_Comm comm, int rank, int ranks) {
  int counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = COUNT - r, places[r] = r * COUNT;
  fill(rank);
  MUST(MPI_Allgatherv(sent, counts[rank], MPI_INT, got, counts, places, MPI_INT, comm));
  for (int i = 0; i < ranks * COUNT; ++i) {
    const int owner = i / COUNT, item = i % COUNT;
    expect("allgatherv", got[i] == (item < counts[owner] ? value(owner, item) : -1), i);
  }
}

static void reduce_scatter(MPI_Comm comm, int rank, int ranks) {
  int counts[RANKS_AT_MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = COUNT;
  fill(rank);
  MUST(MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_SUM, comm));
  for (int i = 0; i < COUNT; ++i) expect("reduce_scatter", got[i] == sum(ranks, rank * COUNT + i), i);
}

static void scan(MPI_Comm comm, int rank, int ranks) {
  (void)ranks;
  fill(rank);
  MUST(MPI_Scan(sent, got, COUNT, MPI_INT, MPI_SUM, comm));
  for (int i = 0; i < COUNT; ++i) expect("scan", got[i] == sum(rank + 1, i), i);
}

static void exscan(MPI_Comm comm, int rank, int ranks) {
  (void)ranks;
  fill(rank);
  MUST(MPI_Exscan(sent, got, COUNT, MPI_INT, MPI_SUM, comm));
  for (int i = 0; rank > 0 && i < COUNT; ++i) expect("exscan", got[i] == sum(rank, i), i);
}

static void alltoall(MPI_Comm comm, int rank, int ranks) {
  fill(rank);
  MUST(MPI_Alltoall(sent, COUNT, MPI_INT, got, COUNT, MPI_INT, comm));
  for (int i = 0; i < ranks * COUNT; ++i)
    expect("alltoall", got[i] == value(i / COUNT, rank * COUNT + i % COUNT), i);
}

/* From rank r to rank s COUNT - r - s numbers; twice, the second time by the plan of the first. */
static void alltoallv(MPI_Comm comm, int rank, int ranks) {
  int counts[RANKS_AT_MOST], places[RANKS_AT_MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = COUNT - r - rank, places[r] = r * COUNT;
  for (int turn = 0; turn < 2; ++turn) {
    fill(rank);
    MUST(MPI_Alltoallv(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, comm));
    for (int i = 0; i < ranks * COUNT; ++i) {
      const int owner = i / COUNT, item = i % COUNT;
      expect("alltoallv", got[i] == (item < counts[owner] ? value(owner, rank * COUNT + item) : -1), i);
    }
  }
}

/* To the next rank and the one before, in a ring. */
static void neighbours(MPI_Comm comm, int rank, int ranks) {
  int is_periodic = 1;
  MPI_Comm ring;
  MUST(MPI_Cart_create(comm, 1, &ranks, &is_periodic, 0, &ring));
  MUST(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
  fill(rank);
  MUST(MPI_Neighbor_alltoall(sent, COUNT, MPI_INT, got, COUNT, MPI_INT, ring));
  const int before = (rank + ranks - 1) % ranks, next = (rank + 1) % ranks;
  for (int i = 0; i < COUNT; ++i) {
    /* What is sent to the next comes from the one before; of two ranks both are the same. */
    if (ranks == 2) continue;
    expect("neighbours before", got[i] == value(before, COUNT + i), i);
    expect("neighbours next", got[COUNT + i] == value(next, i), i);
  }
  MUST(MPI_Comm_free(&ring));
}

#if MPI_VERSION >= 4
/* Calls with large counts. */
static void large_counts(MPI_Comm comm, int rank, int ranks) {
  MPI_Count counts[RANKS_AT_MOST];
  MPI_Aint places[RANKS_AT_MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = COUNT, places[r] = (MPI_Aint)r * COUNT;
  fill(rank);
  MUST(MPI_Allreduce_c(sent, got, COUNT, MPI_INT, MPI_SUM, comm));
  for (int i = 0; i < COUNT; ++i) expect("allreduce_c", got[i] == sum(ranks, i), i);
  MUST(MPI_Allgatherv_c(sent, COUNT, MPI_INT, got, counts, places, MPI_INT, comm));
  for (int i = 0; i < ranks * COUNT; ++i) expect("allgatherv_c", got[i] == value(i / COUNT, i % COUNT), i);
  MUST(MPI_Alltoallv_c(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, comm));
  for (int i = 0; i < ranks * COUNT; ++i)
    expect("alltoallv_c", got[i] == value(i / COUNT, rank * COUNT + i % COUNT), i);
}
#endif

/* The first rank, and the others. */
static MPI_Comm connected(MPI_Comm comm, int rank, MPI_Comm* side) {
  MPI_Comm between;
  MUST(MPI_Comm_split(comm, rank == 0, rank, side));
  MUST(MPI_Comm_set_errhandler(*side, MPI_ERRORS_RETURN));
  MUST(MPI_Intercomm_create(*side, 0, comm, rank == 0 ? 1 : 0, 5, &between));
  MUST(MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN));
  return between;
}

static void between_groups(MPI_Comm comm, int rank, int ranks) {
  MPI_Comm side, between = connected(comm, rank, &side);
  const int others = rank == 0 ? ranks - 1 : 1, others_first = rank == 0 ? 1 : 0;
  for (int i = 0; i < COUNT; ++i) got[i] = rank == 0 ? value(0, i) : -1;
  MUST(MPI_Bcast(got, COUNT, MPI_INT, rank == 0 ? MPI_ROOT : 0, between));
  for (int i = 0; i < COUNT; ++i) expect("bcast between groups", got[i] == value(0, i), i);
  fill(rank);
  MUST(MPI_Allgather(sent, COUNT, MPI_INT, got, COUNT, MPI_INT, between));
  for (int i = 0; i < others * COUNT; ++i)
    expect("allgather between groups", got[i] == value(others_first + i / COUNT, i % COUNT), i);
  MUST(MPI_Comm_free(&between));
  MUST(MPI_Comm_free(&side));
}

static const struct {
  const char* name;
  void (*call)(MPI_Comm comm, int rank, int ranks);
} kinds[] = {
    {"bcast", bcast},
    {"strided", bcast_strided},
    {"reduce", reduce},
    {"allreduce", allreduce},
    {"allgather", allgather},
    {"allgatherv", allgatherv},
    {"reduce_scatter", reduce_scatter},
    {"scan", scan},
    {"exscan", exscan},
    {"alltoall", alltoall},
    {"alltoallv", alltoallv},
    {"neighbours", neighbours},
#if MPI_VERSION >= 4
    {"large", large_counts},
#endif
    {"between", between_groups},
};

int main(int argc, char** argv) {
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 3;
  MPI_Comm comm;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF,
                          MPI_ERRORS_RETURN); /* where MPI-4 raises errors without a communicator */
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    int is_named = argc == 1;
    for (int a = 1; a < argc; ++a) is_named |= strcmp(argv[a], kinds[i].name) == 0;
    if (is_named) kinds[i].call(comm, world_rank, world_ranks);
  }
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Finalize());
  return 0;
}
