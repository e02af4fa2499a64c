/* Several threads at once, each on a communicator of its own. */
#ifndef LANES_H
#define LANES_H

#include <pthread.h>

#include "check.h"

enum { NO_SUCH_THREADS = 77, LANES_AT_MOST = 8 };

typedef struct {
  MPI_Comm comm; /* a duplicate of MPI_COMM_WORLD */
  int number, wrong;
} Lane;

/* Has so many threads make their calls, each with a lane of its own. The status of the program, whose last
 * act this is: NO_SUCH_THREADS where the MPI library has none. */
static inline int end_of_lanes(int argc, char** argv, int lanes, void* (*calls)(void*)) {
  Lane all[LANES_AT_MOST];
  pthread_t threads[LANES_AT_MOST];
  int provided, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return NO_SUCH_THREADS;
  }
  for (int i = 0; i < lanes; ++i) {
    all[i] = (Lane){.number = i};
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i].comm);
  }
  for (int i = 0; i < lanes; ++i) pthread_create(&threads[i], NULL, calls, &all[i]);
  for (int i = 0; i < lanes; ++i) {
    pthread_join(threads[i], NULL);
    wrong |= all[i].wrong;
    MPI_Comm_free(&all[i].comm);
  }
  return end_with(wrong);
}

#endif
