/* A broadcast that is started fails inside Rota, where errors are returned: whoever waits for it says so, and ends the job. */
#include <unistd.h>

#include "check.h"

enum { COUNT = 1 << 14 };

int main(int argc, char** argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int wrong = broadcast_goes_wrong(comm, 0, COUNT, 1); /* after it more may be started there */
  int* const data = calloc(COUNT, sizeof(int));
  MPI_Request request;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, comm, &request);
  if (MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
    fprintf(stderr, "told_at_wait: the broadcast has failed\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
    _exit(3);
  }
  free(data);
  MPI_Comm_free(&comm);
  MPI_Finalize(); /* the broadcast that is started is the last call in which anything is received */
  return wrong;
}
