/* Takes communicators until the MPI library has no more, gives SPARE of them back, and broadcasts.
 *
 *   exhausted SPARE
 *
 * Rota may then get the communicators that it needs for itself, or some, or none: the program must not
 * notice. */
#include "check.h"

enum { MOST = 100000 };
static MPI_Comm comms[MOST];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int made = 0, wrong = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (made < MOST && MPI_Comm_dup(MPI_COMM_WORLD, &comms[made]) == MPI_SUCCESS) ++made;
  for (int i = atoi(argv[1]); i > 0; --i) MPI_Comm_free(&comms[--made]);
  for (int i = 0; i < 6; ++i) wrong |= broadcast_goes_wrong(comms[i % 3], i % 2, 8192, i);
  while (made > 0) MPI_Comm_free(&comms[--made]);
  return end_with(wrong);
}
