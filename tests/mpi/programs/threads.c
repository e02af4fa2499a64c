/* Broadcasts from several threads at once, each on communicators of its own. Status 77: the MPI library has no such threads. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 4, TIMES = 60 };

typedef struct {
  MPI_Comm comm;
  int mark, wrong;
} Lane;

static void* broadcasts(void* argument) {
  Lane* const lane = argument;
  int size;
  MPI_Comm_size(lane->comm, &size);
  for (int i = 0; i < TIMES; ++i) {
    lane->wrong |= broadcast_goes_wrong(lane->comm, i % size, 16 * (i % 40), lane->mark + i);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return 77;
  }
  Lane lanes[THREADS];
  pthread_t threads[THREADS];
  int wrong = 0;
  for (int i = 0; i < THREADS; ++i) {
    lanes[i] = (Lane){.mark = 1000 * i};
    MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i].comm);
  }
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, broadcasts, &lanes[i]);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    wrong |= lanes[i].wrong;
    MPI_Comm_free(&lanes[i].comm);
  }
  return end_with(wrong);
}
