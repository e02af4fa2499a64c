/* A program's attributes and error handler on a communicator are its own business: no broadcast runs their functions, and the
 * handler is the same afterwards. */
#include "check.h"

static int copies, deletions, errors;

static int copy(MPI_Comm comm, int key, void* extra, void* value, void* new_value, int* flag) {
  (void)comm, (void)key, (void)extra;
  *(void**)new_value = value;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

static void on_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++errors;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key, wrong = 0, there = 0;
  void* value = NULL;
  MPI_Comm comm, duplicate;
  MPI_Errhandler handler, now;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(copy, delete, &key, NULL);
  MPI_Comm_set_attr(comm, key, &key);
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);

  for (int i = 0; i < 5; ++i) wrong |= broadcast_goes_wrong(comm, 0, 100 * i, i);
  wrong |= copies != 0 || deletions != 0 || errors != 0;

  MPI_Comm_get_errhandler(comm, &now);
  wrong |= now != handler;
  MPI_Comm_get_attr(comm, key, &value, &there);
  wrong |= !there || value != &key;
  MPI_Bcast(&value, -1, MPI_INT, 0, comm); /* a mistake still reaches the program's handler */
  wrong |= errors != 1;

  MPI_Comm_dup(comm, &duplicate);
  wrong |= copies != 1;
  wrong |= broadcast_goes_wrong(duplicate, 1, 700, 3);
  MPI_Comm_free(&comm);
  wrong |= broadcast_goes_wrong(duplicate, 0, 700, 4);
  wrong |= deletions != 1;
  MPI_Comm_free(&duplicate);
  wrong |= copies != 1 || deletions != 2 || errors != 1;
  MPI_Comm_free_keyval(&key);
  MPI_Errhandler_free(&now);
  MPI_Errhandler_free(&handler);
  return end_with(wrong);
}
