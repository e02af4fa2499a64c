/* Calls that return at once, from several threads at once, each on a communicator that its thread frees when
 * the call is over: another thread may be the one that has carried it to its end. Status 77: the MPI library
 * has no such threads. */
#include "lanes.h"

enum { THREADS = 3, TIMES = 150, COUNT = 3000 };

static int broadcast_on_new_one_goes_wrong(const Lane* lane, int time) {
  MPI_Comm comm;
  MPI_Request request;
  const int root = time % lane->ranks;
  int wrong = 0, told[COUNT];
  MPI_Comm_dup(lane->comm, &comm);
  for (int i = 0; i < COUNT; ++i) told[i] = lane->rank == root ? 1000 * lane->number + time + i : -1;
  MPI_Ibcast(told, COUNT, MPI_INT, root, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  for (int i = 0; i < COUNT; ++i) wrong |= told[i] != 1000 * lane->number + time + i;
  return wrong;
}

static void* calls(void* argument) {
  Lane* const lane = argument;
  for (int time = 0; time < TIMES; ++time) lane->wrong |= broadcast_on_new_one_goes_wrong(lane, time);
  return NULL;
}

int main(int argc, char** argv) { return end_of_lanes(argc, argv, THREADS, duplicate, calls); }
