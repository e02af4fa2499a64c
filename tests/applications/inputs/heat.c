/* Heat in a square plate by Jacobi's iteration: rows dealt over ranks, edges exchanged as neighbours do, the change summed up after each
 * tenth step, the plate's first state broadcast and its last one gathered. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 768, STEPS = 100 };

static double first_heat(int row, int column) {
  return row == 0 || column == 0 ? 100.0 : 10.0 * sin(0.01 * row) * cos(0.02 * column);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int periods = 0;
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periods, 0, &line);

  double* const plate = malloc(sizeof(double) * EDGE * EDGE);
  if (rank == 0)
    for (int i = 0; i < EDGE * EDGE; ++i) plate[i] = first_heat(i / EDGE, i % EDGE);
  MPI_Bcast(plate, EDGE * EDGE, MPI_DOUBLE, 0, line);

  const int more = EDGE % ranks;
  const int rows = EDGE / ranks + (rank < more);
  const int first = rank * (EDGE / ranks) + (rank < more ? rank : more);
  double* old = malloc(sizeof(double) * EDGE * (rows + 2));
  double* new = malloc(sizeof(double) * EDGE * (rows + 2));
  for (int i = -EDGE; i < EDGE * (rows + 1); ++i) {
    const int place = first * EDGE + i;
    old[EDGE + i] = new[EDGE + i] = place < 0 || place >= EDGE * EDGE ? 0 : plate[place];
  }
  for (int step = 0; step < STEPS; ++step) {
    const int counts[2] = {EDGE, EDGE};
    const MPI_Aint edges[2] = {(MPI_Aint)sizeof(double) * EDGE, (MPI_Aint)sizeof(double) * EDGE * rows};
    const MPI_Aint beyond[2] = {0, (MPI_Aint)sizeof(double) * EDGE * (rows + 1)};
    const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Neighbor_alltoallw(old, counts, edges, types, old, counts, beyond, types, line);
    double here = 0, change;
    for (int row = 1; row <= rows; ++row)
      for (int column = 1; column < EDGE - 1; ++column) {
        const int i = row * EDGE + column, place = first + row - 1;
        if (place == 0 || place == EDGE - 1) continue;
        new[i] = 0.25 * (old[i - 1] + old[i + 1] + old[i - EDGE] + old[i + EDGE]);
        here += fabs(new[i] - old[i]);
      }
    double* const swapped = old;
    old = new;
    new = swapped;
    if (step % 10 != 9) continue;
    MPI_Allreduce(&here, &change, 1, MPI_DOUBLE, MPI_SUM, line);
    if (rank == 0) printf("step %d: change %.9e\n", step + 1, change);
  }
  int* const counts = malloc(sizeof(int) * ranks);
  int* const firsts = calloc(ranks, sizeof(int));
  const int mine = rows * EDGE;
  MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, line);
  for (int i = 1; i < ranks; ++i) firsts[i] = firsts[i - 1] + counts[i - 1];
  MPI_Allgatherv(old + EDGE, mine, MPI_DOUBLE, plate, counts, firsts, MPI_DOUBLE, line);
  double heat = 0, whole;
  for (int i = 0; i < EDGE * EDGE; ++i) heat += plate[i];
  MPI_Allreduce(&heat, &whole, 1, MPI_DOUBLE, MPI_MAX, line);
  if (rank == 0) printf("heat %.9e, on all ranks %s\n", whole, whole == heat ? "alike" : "differs");
  MPI_Finalize();
  return 0;
}
