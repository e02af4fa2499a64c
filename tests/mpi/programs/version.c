/* The version that rota_get_version tells, before MPI_Init too. */
#include <rota.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int major = -1;
  int minor = -1;
  int patch = -1;
  if (rota_get_version(&major, &minor, &patch) != MPI_SUCCESS) return 1;
  rota_init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%d.%d.%d\n", major, minor, patch);
  return rota_finalize();
}
