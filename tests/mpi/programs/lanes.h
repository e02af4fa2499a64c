/* Several threads at once, each on a communicator of its own. */
#ifndef LANES_H
#define LANES_H

#include <pthread.h>

#include "check.h"

enum { NO_SUCH_THREADS = 77, LANES_AT_MOST = 8 };

typedef struct {
  MPI_Comm comm;
  int number, rank, ranks, wrong; /* its rank in the communicator, or in its group of an inter-communicator */
} Lane;

/* A communicator for any lane. */
static inline MPI_Comm duplicate(int number) {
  MPI_Comm comm;
  (void)number;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

static inline int handler_is_another(void) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  return handler != MPI_ERRORS_ARE_FATAL;
}

/* Has so many threads make their calls, each with a lane of its own, of which `made` makes the communicator;
 * it may be MPI_COMM_WORLD, whose error handler is to stay what it is. The status of the program, whose last
 * act this is: NO_SUCH_THREADS where the MPI library has none. */
static inline int end_of_lanes(int argc, char** argv, int lanes, MPI_Comm (*made)(int),
                               void* (*calls)(void*)) {
  Lane all[LANES_AT_MOST];
  pthread_t threads[LANES_AT_MOST];
  int provided, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return NO_SUCH_THREADS;
  }
  for (int i = 0; i < lanes; ++i) {
    all[i] = (Lane){.comm = made(i), .number = i};
    MPI_Comm_rank(all[i].comm, &all[i].rank);
    MPI_Comm_size(all[i].comm, &all[i].ranks);
  }
  for (int i = 0; i < lanes; ++i) pthread_create(&threads[i], NULL, calls, &all[i]);
  for (int i = 0; i < lanes; ++i) {
    pthread_join(threads[i], NULL);
    wrong |= all[i].wrong;
    if (all[i].comm != MPI_COMM_WORLD) MPI_Comm_free(&all[i].comm);
  }
  return end_with(wrong | handler_is_another());
}

#endif
