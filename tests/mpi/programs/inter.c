/* Broadcasts over an inter-communicator, from each side to the other. */
#include "check.h"

enum { COUNT = 5000 };

/* From the lowest rank of one side to all of the other; the rest of the sending side takes no part. */
static int goes_wrong(MPI_Comm between, int sending, int rank) {
  int data[COUNT], wrong = 0;
  for (int i = 0; i < COUNT; ++i) data[i] = sending && rank == 0 ? i : -1;
  const int root = !sending ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(data, COUNT, MPI_INT, root, between);
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != (sending && rank != 0 ? -1 : i);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int world_rank, rank, wrong = 0;
  MPI_Comm side, between;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  const int is_first = world_rank < 2;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, world_rank, &side);
  MPI_Comm_rank(side, &rank);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_first ? 2 : 0, 5, &between);
  for (int turn = 0; turn < 4; ++turn) wrong |= goes_wrong(between, turn % 2 == is_first, rank);
  wrong |= broadcast_goes_wrong(side, 0, COUNT, 1); /* an intra-communicator among them is served as ever */
  MPI_Comm_free(&between);
  MPI_Comm_free(&side);
  return end_with(wrong);
}
