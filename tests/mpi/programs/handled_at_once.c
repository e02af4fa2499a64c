/* A broadcast that is started fails inside Rota. The error handler starts another one on another communicator,
 * says so, and ends the job. */
#include <unistd.h>

#include "check.h"

enum { COUNT = 1 << 14 };

static MPI_Comm other;

static void start_another(MPI_Comm* comm, int* code, ...) {
  static int data[COUNT];
  MPI_Request request;
  (void)comm;
  (void)code;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, other, &request);
  fprintf(stderr, "handled_at_once: another one is started\n");
  MPI_Abort(MPI_COMM_WORLD, 3);
  _exit(3);
}

int main(int argc, char** argv) {
  MPI_Comm first;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_create_errhandler(start_another, &handler);
  MPI_Comm_set_errhandler(first, handler);
  int wrong = broadcast_goes_wrong(first, 0, COUNT, 1); /* after these more may be started there */
  wrong |= broadcast_goes_wrong(other, 0, COUNT, 2);
  int* const data = calloc(COUNT, sizeof(int));
  MPI_Request request;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, first, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(data);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&first);
  MPI_Comm_free(&other);
  MPI_Finalize(); /* the broadcast that is started is the last call in which anything is received */
  return wrong;
}
