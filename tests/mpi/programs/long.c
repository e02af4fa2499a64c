/* Ten broadcasts of 4000 bytes. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  for (int i = 0; i < 10; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 1000, i);
  return end_with(wrong);
}
