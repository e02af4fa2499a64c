/* Starts two more processes of itself and broadcasts among all, from each in turn. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parents, between, all;
  int size, wrong = 0;
  MPI_Comm_get_parent(&parents);
  const int is_child = parents != MPI_COMM_NULL;
  between = parents;
  if (!is_child) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                   MPI_ERRCODES_IGNORE);
  }
  MPI_Intercomm_merge(between, is_child, &all);
  MPI_Comm_size(all, &size);
  for (int root = 0; root < size; ++root) wrong |= broadcast_goes_wrong(all, root, 10000, root);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&between);
  return end_with(wrong);
}
