/* Open MPI's fault tolerance: rank 2 is killed before a broadcast; the others revoke the communicator, go on
 * among those that are left, and say in argv[1], a file, how many broadcasts came out right. Then rank 0 ends
 * the launcher, which is its parent: behind a failure Open MPI's (5.0.11) ends neither by MPI_Finalize, every
 * time, nor by MPI_Abort. What it had still to pass on of the ranks' output is lost with it: hence the file.
 */
#include <mpi.h>
/* After mpi.h. */
#include <mpi-ext.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"

enum { broadcasts = 8, killed_at = 3, count = 1 << 18 };

/* The communicator of those that are left. */
static MPI_Comm without_failed(MPI_Comm comm) {
  MPI_Comm left;
  MPIX_Comm_revoke(comm);
  MPIX_Comm_shrink(comm, &left);
  MPI_Comm_free(&comm);
  MPI_Comm_set_errhandler(left, MPI_ERRORS_RETURN);
  return left;
}

int main(int argc, char** argv) {
  int rank, ranks, right = 0, failures = 0;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < broadcasts; ++turn) {
    if (turn == killed_at && rank == 2) raise(SIGKILL);
    int is_right = !broadcast_goes_wrong(comm, 0, count, turn);
    const int code = MPIX_Comm_agree(comm, &is_right);
    if (code == MPI_SUCCESS && is_right) {
      ++right;
    } else {
      ++failures;
      comm = without_failed(comm);
    }
  }
  MPI_Comm_size(comm, &ranks);
  FILE* said = fopen(argv[1], "a");
  fprintf(said, "%d broadcasts among %d in the end, %d failures\n", right, ranks, failures);
  fclose(said);
  MPI_Barrier(comm);
  if (rank == 0) kill(getppid(), SIGTERM);
  pause();
}
