/* The same large sum of doubles as often as the command line says: its bits must be the same every time; rank 0 prints a number that follows
 * from them. */
#include <string.h>

#include "check.h"

enum { ITEMS = 1 << 19 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t bytes = ITEMS * sizeof(double);
  double *const own = malloc(bytes), *const first = malloc(bytes), *const again = malloc(bytes);
  /* Of very different sizes, so that every order of additions has bits of its own. */
  unsigned random = 1u + (unsigned)rank;
  for (int i = 0; i < ITEMS; ++i) {
    random = random * 1664525u + 1013904223u;
    own[i] = (double)random * (1u << (random >> 28)) / 3;
  }
  MPI_Allreduce(own, first, ITEMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int wrong = argc != 2;
  for (int i = 1; argc == 2 && i < atoi(argv[1]); ++i) {
    MPI_Allreduce(own, again, ITEMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong |= memcmp(first, again, bytes) != 0;
  }
  unsigned long long bits = 0;
  for (size_t i = 0; i < bytes; ++i) bits = bits * 31 + ((unsigned char*)first)[i];
  if (rank == 0) printf("%llx\n", bits);
  free(own);
  free(first);
  free(again);
  return end_with(wrong);
}
