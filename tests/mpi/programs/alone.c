/* A broadcast that is started, and then watched without any call of MPI's until it is there: only who carries it on meanwhile can end it.
 *
 *   alone SECONDS   how long to watch
 *
 * Its status is 1 if it was not there by then on any rank, or is wrong. */
#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include "check.h"

enum { COUNT = 1 << 20 };

static int data[COUNT];

int main(int argc, char** argv) {
  MPI_Request request;
  int rank, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i + 1 : 0;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD, &request);
  const struct timespec millisecond = {0, 1000000};
  volatile int* const watched = data;
  int is_there = 0;
  for (long tried = 0; !is_there && tried < 1000 * atol(argv[1]); ++tried) {
    nanosleep(&millisecond, NULL);
    is_there = 1;
    for (int i = 0; i < COUNT && is_there; i += COUNT / 64) is_there = watched[i] != 0;
  }
  wrong |= !is_there;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != i + 1;
  return end_with(wrong);
}
