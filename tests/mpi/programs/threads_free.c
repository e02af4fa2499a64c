/* Calls that return at once, from several threads at once, each on a communicator that its thread frees when
 * the call is over: another thread may be the one that has carried it to its end. Status 77: the MPI library
 * has no such threads. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 3, TIMES = 150, COUNT = 3000 };

typedef struct {
  MPI_Comm comm;
  int number, wrong;
} Lane;

static int broadcast_on_new_one_goes_wrong(const Lane* lane, int time) {
  MPI_Comm comm;
  MPI_Request request;
  int rank, ranks, wrong = 0, told[COUNT];
  MPI_Comm_dup(lane->comm, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < COUNT; ++i) told[i] = rank == time % ranks ? lane->number + time + i : -1;
  MPI_Ibcast(told, COUNT, MPI_INT, time % ranks, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  for (int i = 0; i < COUNT; ++i) wrong |= told[i] != lane->number + time + i;
  return wrong;
}

static void* calls(void* argument) {
  Lane* const lane = argument;
  for (int time = 0; time < TIMES; ++time) lane->wrong |= broadcast_on_new_one_goes_wrong(lane, time);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return 77;
  }
  Lane lanes[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    lanes[i] = (Lane){.number = 1000 * i};
    MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i].comm);
  }
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, calls, &lanes[i]);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    wrong |= lanes[i].wrong;
    MPI_Comm_free(&lanes[i].comm);
  }
  return end_with(wrong);
}
