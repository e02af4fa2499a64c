/* A program that survives an error of its own: rank 0 gathers less than the others send. */
#include "check.h"

enum { ITEMS = 100 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int* const sent = calloc(ITEMS, sizeof(int));
  int* const received = calloc((size_t)ranks * ITEMS, sizeof(int));
  const int code = MPI_Gather(sent, ITEMS, MPI_INT, received, ITEMS / 10, MPI_INT, 0, MPI_COMM_WORLD);
  printf("rank %d: %s\n", rank, code == MPI_SUCCESS ? "gathered" : "survived");
  MPI_Finalize();
  return 0;
}
