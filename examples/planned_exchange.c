/* A sparse exchange whose pattern stays the same, as between the parts of a mesh: planned once, run a
 * hundred times.
 *
 *   mpicc planned_exchange.c $(rota flags --mpi openmpi) -o planned_exchange
 *   ROTA_ALGORITHM=alltoall=exact ROTA_REPORT=1 mpiexec -n 8 ./planned_exchange
 *
 * Every rank has something for three others, more for nearer ones. In each step it sends what it has
 * received in the last one on its way back, one more on every number. */
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 100, OTHERS = 3, NUMBERS = 30000 };

/* What ranks that are `distance` apart have for each other, going up: 1, 2 and 4 ranks further on. */
static int numbers_for(int distance) {
  for (int i = 0; i < OTHERS; ++i)
    if (distance == 1 << i) return NUMBERS >> i;
  return 0;
}

static int sum(const int* counts, int ranks, int* places) {
  int total = 0;
  for (int i = 0; i < ranks; ++i) places[i] = total, total += counts[i];
  return total;
}

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  int* const counts = malloc(4 * (size_t)ranks * sizeof(int));
  int *const out = counts, *const in = out + ranks, *const out_at = in + ranks, *const in_at = out_at + ranks;
  for (int i = 0; i < ranks; ++i) {
    out[i] = numbers_for((i - rank + ranks) % ranks);
    in[i] = numbers_for((rank - i + ranks) % ranks);
  }
  const int sent = sum(out, ranks, out_at), received = sum(in, ranks, in_at);
  double* const here = malloc((size_t)sent * sizeof(double) + 1);
  double* const there = malloc((size_t)received * sizeof(double) + 1);
  for (int i = 0; i < sent; ++i) here[i] = i + rank;

  /* The arrays and types of a plan may go when it is made. */
  rota_plan *up, *down;
  rota_alltoallv_plan(out, out_at, MPI_DOUBLE, in, in_at, MPI_DOUBLE, MPI_COMM_WORLD, &up);
  rota_alltoallv_plan(in, in_at, MPI_DOUBLE, out, out_at, MPI_DOUBLE, MPI_COMM_WORLD, &down);
  free(counts);

  for (int step = 0; step < STEPS; ++step) {
    rota_plan_run(up, here, there);
    for (int i = 0; i < received; ++i) there[i] += 1;
    rota_plan_run(down, there, here);
  }
  rota_plan_free(&up);
  rota_plan_free(&down);

  int wrong = 0, all_wrong;
  for (int i = 0; i < sent; ++i) wrong += here[i] != i + rank + STEPS;
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, %d steps there and back: %d wrong values\n", ranks, STEPS, all_wrong);
  free(here);
  free(there);
  rota_finalize();
  return wrong != 0;
}
