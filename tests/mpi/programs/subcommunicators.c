/* Broadcasts at the same time on the parts of a communicator, on duplicates of them, and on one with a topology. */
#include "check.h"

static int every_root_goes_wrong(MPI_Comm comm, int mark) {
  int size, wrong = 0;
  MPI_Comm_size(comm, &size);
  for (int root = 0; root < size; ++root)
    wrong |= broadcast_goes_wrong(comm, root, 500 + 100 * root, mark + root);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  /* Parts of different sizes, ranks in reverse: those of one part carry other data than those of another. */
  const int colour = rank < 1 ? 0 : rank % 2 + 1;
  MPI_Comm part, duplicate, ring;
  MPI_Comm_split(MPI_COMM_WORLD, colour, -rank, &part);
  MPI_Comm_dup(part, &duplicate);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (const int[]){1}, 1, &ring);

  int wrong = 0;
  for (int turn = 0; turn < 3; ++turn) {
    wrong |= every_root_goes_wrong(part, 1000 * colour);
    wrong |= every_root_goes_wrong(duplicate, 7000 * colour);
    wrong |= broadcast_goes_wrong(ring, turn % size, 900, turn);
    wrong |= broadcast_goes_wrong(MPI_COMM_SELF, 0, 900, rank);
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, size - 1, 900, turn);
  }
  MPI_Comm_free(&part); /* before its duplicate */
  wrong |= every_root_goes_wrong(duplicate, 3000 * colour);
  MPI_Comm_free(&duplicate);
  MPI_Comm_free(&ring);
  return end_with(wrong);
}
