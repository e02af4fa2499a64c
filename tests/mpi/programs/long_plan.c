/* A plan of messages that are large enough to compete, run so often that a schedule has its turns.
 *
 *   long_plan RUNS BYTES          to and from each other rank */
#include <rota.h>
#include <stdlib.h>

#include "check.h"

enum { RANKS_AT_MOST = 16 };

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  int rank, ranks, counts[RANKS_AT_MOST], places[RANKS_AT_MOST], wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int runs = atoi(argv[1]), count = atoi(argv[2]) / (int)sizeof(int);
  int* const sent = malloc((size_t)ranks * (size_t)count * sizeof(int));
  int* const received = malloc((size_t)ranks * (size_t)count * sizeof(int));
  for (int i = 0; i < ranks; ++i) counts[i] = count, places[i] = i * count;
  rota_plan* plan;
  rota_alltoallv_plan(counts, places, MPI_INT, counts, places, MPI_INT, MPI_COMM_WORLD, &plan);
  for (int run = 0; run < runs; ++run) {
    for (int i = 0; i < ranks * count; ++i) sent[i] = run + 1000 * rank + i / count, received[i] = -1;
    rota_plan_run(plan, sent, received);
    for (int i = 0; i < ranks * count; ++i) wrong |= received[i] != run + 1000 * (i / count) + rank;
  }
  rota_plan_free(&plan);
  free(sent);
  free(received);
  int any_wrong = 0;
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  rota_finalize();
  return any_wrong;
}
