/* A program that calls Rota's collectives by name, without any preloading. */
#include <rota.h>
#include <stdio.h>

enum { COUNT = 5000 };

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  int rank, size, wrong = 0, any_wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int root = 0; root < size; ++root) {
    int data[COUNT];
    for (int i = 0; i < COUNT; ++i) data[i] = rank == root ? i + root : -1;
#if MPI_VERSION >= 4
    wrong |= rota_bcast_c(data, (MPI_Count)COUNT, MPI_INT, root, MPI_COMM_WORLD) != MPI_SUCCESS;
#else
    wrong |= rota_bcast(data, COUNT, MPI_INT, root, MPI_COMM_WORLD) != MPI_SUCCESS;
#endif
    for (int i = 0; i < COUNT; ++i) wrong |= data[i] != i + root;
    wrong |= rota_bcast(data, COUNT, MPI_INT, root, MPI_COMM_WORLD) != MPI_SUCCESS;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  wrong |= rota_bcast(&size, 1, MPI_INT, size, MPI_COMM_WORLD) == MPI_SUCCESS;
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  rota_finalize();
  return any_wrong;
}
