/* One mistake in a broadcast, named by the argument, on every rank; prints the class of the error. Then a good broadcast. */
#include <string.h>

#include "check.h"

static int data[4000];

static int mistake(const char* name) {
  MPI_Datatype dense, strided;
  MPI_Type_contiguous(100, MPI_INT, &dense);
  MPI_Type_vector(100, 1, 2, MPI_INT, &strided);
  if (strcmp(name, "negative_count") == 0) return MPI_Bcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD);
  if (strcmp(name, "negative_root") == 0) return MPI_Bcast(data, 100, MPI_INT, -3, MPI_COMM_WORLD);
  if (strcmp(name, "large_root") == 0) return MPI_Bcast(data, 100, MPI_INT, 1000, MPI_COMM_WORLD);
  if (strcmp(name, "null_type") == 0) return MPI_Bcast(data, 100, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (strcmp(name, "uncommitted_dense") == 0) return MPI_Bcast(data, 3, dense, 0, MPI_COMM_WORLD);
  if (strcmp(name, "uncommitted_strided") == 0) return MPI_Bcast(data, 3, strided, 0, MPI_COMM_WORLD);
  if (strcmp(name, "null_comm") == 0) return MPI_Bcast(data, 100, MPI_INT, 0, MPI_COMM_NULL);
  if (strcmp(name, "in_place") == 0) return MPI_Bcast(MPI_IN_PLACE, 100, MPI_INT, 0, MPI_COMM_WORLD);
  if (strcmp(name, "null_buffer") == 0) return MPI_Bcast(NULL, 100, MPI_INT, 0, MPI_COMM_WORLD);
  abort();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF,
                          MPI_ERRORS_RETURN); /* where MPI-4 raises errors without a communicator */
  int class, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Error_class(mistake(argv[1]), &class);
  if (rank == 0) printf("class %d\n", class);
  const int wrong = broadcast_goes_wrong(MPI_COMM_WORLD, 1, 1000, 3);
  return end_with(wrong);
}
