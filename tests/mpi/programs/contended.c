/* Broadcasts on one processor, which a thread that runs on has too: until this rank has slept a hundred times meanwhile, or a minute has
   passed. The first one, before which ranks meet, does not count. By calls that return at once, if the
   program has an argument. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "check.h"

enum { COUNT = 1 << 18, ENOUGH = 100, AT_MOST_S = 60 };

static atomic_int is_over;

static void* run_on(void* nothing) {
  while (!is_over) {
  }
  return nothing;
}

static void stay_on_one_processor(void) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static _Thread_local long sleeps;

/* In place of the C library's: counts, and sleeps as long. MPICH asks for a nanosecond where it yields: that is not meant. */
int nanosleep(const struct timespec* asked, struct timespec* left) {
  if (asked->tv_sec > 0 || asked->tv_nsec > 1) ++sleeps;
  return clock_nanosleep(CLOCK_MONOTONIC, 0, asked, left) == 0 ? 0 : -1;
}

int main(int argc, char** argv) {
  int provided, rank, wrong = 0, goes_on = 1;
  int (*const bcast)(void*, int, MPI_Datatype, int, MPI_Comm) = argc > 1 ? bcast_at_once : MPI_Bcast;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  stay_on_one_processor();
  pthread_t other;
  if (rank == 0) pthread_create(&other, NULL, run_on, NULL);
  const double start_s = MPI_Wtime();
  const int slack_ns = prctl(PR_GET_TIMERSLACK);
  long slept = 0;
  for (int i = 0; goes_on; ++i) {
    const long before = sleeps;
    wrong |= broadcast_by_goes_wrong(bcast, MPI_COMM_WORLD, 0, COUNT, i);
    if (i > 0) slept += sleeps - before;
    const int mine = slept < ENOUGH && MPI_Wtime() - start_s < AT_MOST_S;
    MPI_Allreduce(&mine, &goes_on, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  is_over = 1;
  if (rank == 0) pthread_join(other, NULL);
  if (slept < ENOUGH) printf("rank %d slept %ld times\n", rank, slept);
  const int is_changed = prctl(PR_GET_TIMERSLACK) != slack_ns;
  if (is_changed) printf("rank %d sleeps otherwise than before\n", rank);
  return end_with(wrong || slept < ENOUGH || is_changed);
}
