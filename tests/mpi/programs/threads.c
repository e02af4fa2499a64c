/* Broadcasts from several threads at once, each on a communicator of its own. Status 77: the MPI library has no such threads. */
#include "lanes.h"

enum { THREADS = 4, TIMES = 60 };

static void* broadcasts(void* argument) {
  Lane* const lane = argument;
  for (int i = 0; i < TIMES; ++i) {
    lane->wrong |= broadcast_goes_wrong(lane->comm, i % lane->ranks, 16 * (i % 40), 1000 * lane->number + i);
  }
  return NULL;
}

int main(int argc, char** argv) { return end_of_lanes(argc, argv, THREADS, duplicate, broadcasts); }
