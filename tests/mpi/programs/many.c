/* Keeps COUNT communicators at once, and broadcasts little on each; then much on the last. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = atoi(argv[1]);
  int wrong = 0;
  MPI_Comm* const comms = malloc((size_t)count * sizeof(MPI_Comm));
  for (int i = 0; i < count; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < count; ++i) wrong |= broadcast_goes_wrong(comms[i], i % 2, 10, i);
  wrong |= broadcast_goes_wrong(comms[count - 1], 1, 100000, 5);
  for (int i = 0; i < count; ++i) MPI_Comm_free(&comms[i]);
  return end_with(wrong);
}
