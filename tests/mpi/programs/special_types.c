/* Broadcasts a type that is made in an unusual way, named by the argument, of 100 reals or integers; in turn by a call that blocks
 * and by one that returns at once, whose type is freed then. Status 77: the MPI library has no such types. */
#include <string.h>

#include "check.h"

static MPI_Datatype made(const char* name) {
  MPI_Datatype type, inner;
  if (strcmp(name, "f90_real") == 0) {
    MPI_Type_create_f90_real(15, 300, &inner); /* predefined without a name: must not be freed */
    MPI_Type_contiguous(100, inner, &type);
    return type;
  }
  if (strcmp(name, "f90_dup") == 0) {
    MPI_Type_create_f90_integer(9, &inner);
    MPI_Type_dup(inner, &type);
    return type;
  }
#if MPI_VERSION >= 4
  if (strcmp(name, "large_contiguous") == 0) {
    MPI_Type_contiguous_c(100, MPI_INT, &type); /* whose contents only the _c calls may ask for */
    return type;
  }
  if (strcmp(name, "large_vector") == 0) {
    MPI_Type_vector_c(50, 2, 3, MPI_INT, &type);
    return type;
  }
  if (strcmp(name, "dup_of_large") == 0) {
    MPI_Type_contiguous_c(100, MPI_INT, &inner);
    MPI_Type_dup(inner, &type);
    MPI_Type_free(&inner);
    return type;
  }
#endif
  MPI_Finalize();
  exit(77);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type = made(argv[1]);
  MPI_Type_commit(&type);
  int rank, wrong = 0;
  MPI_Count size;
  MPI_Aint lower_bound, extent;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_size_x(type, &size);
  MPI_Type_get_extent(type, &lower_bound, &extent);
  for (int turn = 0; turn < 20; ++turn) {
    unsigned char data[3 * 1200], sent[3 * 1200];
    for (size_t i = 0; i < sizeof data; ++i) sent[i] = (unsigned char)(i + 7 + (size_t)turn);
    memset(data, 0, sizeof data);
    if (rank == turn % 2) memcpy(data, sent, sizeof data);
    if (turn % 4 < 2) {
      MPI_Bcast(data, 3, type, turn % 2, MPI_COMM_WORLD);
    } else {
      MPI_Request request;
      MPI_Ibcast(data, 3, type, turn % 2, MPI_COMM_WORLD, &request);
      MPI_Type_free(&type);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      type = made(argv[1]);
      MPI_Type_commit(&type);
    }
    wrong |= extent == size && memcmp(data, sent, (size_t)(3 * size)) != 0;
    wrong |= memcmp(data, sent, 8) != 0;
  }
  MPI_Type_free(&type);
  return end_with(wrong);
}
