/* Plans: buffers, types and counts that go or change, in place, wrong arguments, and large counts. */
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_AT_MOST = 32, ITEMS = 300 };

static int rank, ranks, errors_seen;

static void note_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++errors_seen;
}

static int items_of(int from, int to) {
  return (2 * from + to + (from < to)) % 3 == 0 ? 0 : ITEMS - from - to;
}
static int value(int mark, int from, int to, int k) { return mark + from * 100000 + to * 1000 + k; }

/* Every second int from an int's place on. */
static MPI_Datatype gapped(void) {
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  MPI_Type_commit(&type);
  return type;
}

static int runs_go_wrong(MPI_Comm comm) {
  int counts[2][RANKS_AT_MOST], places[2][RANKS_AT_MOST], wrong = 0;
  static int sent[RANKS_AT_MOST * ITEMS], received[2 * RANKS_AT_MOST * ITEMS];
  for (int i = 0; i < ranks; ++i) {
    counts[0][i] = items_of(rank, i), counts[1][i] = items_of(i, rank);
    places[0][i] = places[1][i] = i * ITEMS;
  }
  MPI_Datatype type = gapped();
  rota_plan* plan;
#if MPI_VERSION >= 4
  MPI_Count large[2][RANKS_AT_MOST];
  MPI_Aint far[RANKS_AT_MOST];
  for (int i = 0; i < ranks; ++i) large[0][i] = counts[0][i], large[1][i] = counts[1][i], far[i] = i * ITEMS;
  wrong |= rota_alltoallv_plan_c(large[0], far, MPI_INT, large[1], far, type, comm, &plan) != MPI_SUCCESS;
  memset(large, 0xFF, sizeof large);
#else
  wrong |= rota_alltoallv_plan(counts[0], places[0], MPI_INT, counts[1], places[1], type, comm, &plan) !=
           MPI_SUCCESS;
#endif
  MPI_Type_free(&type);
  memset(counts, 0xFF, sizeof counts);
  memset(places, 0xFF, sizeof places);
  for (int mark = 0; mark < 3; ++mark) {
    for (int i = 0; i < ranks * ITEMS; ++i) sent[i] = value(mark, rank, i / ITEMS, i % ITEMS);
    memset(received, 0xFF, sizeof received);
    wrong |= rota_plan_run(plan, sent, received) != MPI_SUCCESS;
    for (int i = 0; i < 2 * ranks * ITEMS; ++i) {
      const int from = i / 2 / ITEMS, k = i / 2 % ITEMS;
      const int is_there = i % 2 == 0 && k < items_of(from, rank);
      wrong |= received[i] != (is_there ? value(mark, from, rank, k) : -1);
    }
  }
  wrong |= rota_plan_free(&plan) != MPI_SUCCESS || plan != NULL;
  return wrong;
}

/* As much both ways; neither MPI_IN_PLACE nor its absence fits the other kind of plan. */
static int in_place_goes_wrong(MPI_Comm comm) {
  int counts[RANKS_AT_MOST], places[RANKS_AT_MOST], data[RANKS_AT_MOST * ITEMS], other[1], wrong = 0;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = items_of(rank < i ? rank : i, rank < i ? i : rank);
    places[i] = i * ITEMS;
    for (int k = 0; k < ITEMS; ++k) data[i * ITEMS + k] = value(0, rank, i, k);
  }
  rota_plan* plan;
  wrong |=
      rota_alltoallv_plan(NULL, NULL, MPI_DATATYPE_NULL, counts, places, MPI_INT, comm, &plan) != MPI_SUCCESS;
  const int before = errors_seen;
  wrong |= rota_plan_run(plan, other, data) == MPI_SUCCESS || errors_seen != before + 1;
  wrong |= rota_plan_run(plan, MPI_IN_PLACE, data) != MPI_SUCCESS;
  for (int i = 0; i < ranks; ++i)
    for (int k = 0; k < ITEMS; ++k)
      wrong |= data[i * ITEMS + k] != (k < counts[i] ? value(0, i, rank, k) : value(0, rank, i, k));
  return wrong | (rota_plan_free(&plan) != MPI_SUCCESS);
}

static int error_goes_wrong(int code, int before) { return code == MPI_SUCCESS || errors_seen != before + 1; }

static int errors_go_wrong(MPI_Comm comm) {
  int counts[RANKS_AT_MOST] = {0}, places[RANKS_AT_MOST] = {0}, wrong = 0, before = errors_seen;
  rota_plan *const nothing = NULL, *plan = nothing;
  counts[0] = -1;
  wrong |= error_goes_wrong(
      rota_alltoallv_plan(counts, places, MPI_INT, counts, places, MPI_INT, comm, &plan), before++);
  counts[0] = 0;
  wrong |= error_goes_wrong(
      rota_alltoallv_plan(counts, places, MPI_DATATYPE_NULL, counts, places, MPI_INT, comm, &plan), before++);
  wrong |= error_goes_wrong(rota_alltoallv_plan(counts, NULL, MPI_INT, counts, places, MPI_INT, comm, &plan),
                            before++);
  wrong |= error_goes_wrong(rota_alltoallv_plan(counts, places, MPI_INT, counts, places, MPI_INT, comm, NULL),
                            before++);
  wrong |= plan != nothing;
  wrong |= error_goes_wrong(rota_plan_run(NULL, counts, places), before++);
  wrong |= error_goes_wrong(rota_plan_free(&plan), before++);
  return wrong;
}

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(note_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  int wrong = 0, any_wrong = 0;
  for (int again = 0; again < 2; ++again) wrong |= runs_go_wrong(comm);
  wrong |= 2 * in_place_goes_wrong(comm);
  wrong |= 4 * errors_go_wrong(comm);
  if (wrong) fprintf(stderr, "rank %d: wrong: %d\n", rank, wrong);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  rota_finalize();
  return any_wrong;
}
