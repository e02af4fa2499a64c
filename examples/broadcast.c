/* An ordinary MPI program: rank 0 sends a model's parameters to everybody, ten times. It knows nothing of
 * Rota. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { repetitions = 10, parameters = 1 << 20 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  float* model = malloc(parameters * sizeof *model);
  for (int i = 0; i < parameters; ++i) model[i] = rank == 0 ? (float)i : -1;

  MPI_Barrier(MPI_COMM_WORLD);
  const double start_s = MPI_Wtime();
  for (int i = 0; i < repetitions; ++i) MPI_Bcast(model, parameters, MPI_FLOAT, 0, MPI_COMM_WORLD);
  const double mine_s = (MPI_Wtime() - start_s) / repetitions;

  int wrong = 0, all_wrong;
  for (int i = 0; i < parameters; ++i) wrong += model[i] != (float)i;
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  double slowest_s;
  MPI_Reduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks, 4 MiB: %.0f ms a broadcast, %d wrong values\n", ranks, 1e3 * slowest_s, all_wrong);
  }
  free(model);
  MPI_Finalize();
  return wrong != 0;
}
