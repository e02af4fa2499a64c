/* How much of a collective is hidden behind computation, in an MPI program that knows nothing of Rota.
 *
 *     overlap BYTES [REPETITIONS]
 *
 * For each collective, on so many bytes in all, medians over the repetitions of what the slowest rank takes,
 * in milliseconds:
 *
 *     blocking   the call that blocks
 *     waited     the call that returns at once, and MPI_Wait right after it
 *     tested     the same with computation between that takes as long as `waited`, cut by an MPI_Test each millisecond
 *     alone      the same without any call of MPI's between
 *     hidden     the share of the communication that took no time of its own, of `tested` and of `alone`
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { collectives = 5, most_repetitions = 101 };
static const char* const names[collectives] = {"bcast", "allreduce", "allgather", "reduce_scatter_block",
                                               "alltoall"};

static int rank, ranks, bytes;
static char *sent, *received;

static void call(int which) {
  const int all = bytes / 8, share = all / ranks;
  switch (which) {
    case 0:
      MPI_Bcast(received, all, MPI_LONG, 0, MPI_COMM_WORLD);
      break;
    case 1:
      MPI_Allreduce(sent, received, all, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
      break;
    case 2:
      MPI_Allgather(sent, share, MPI_LONG, received, share, MPI_LONG, MPI_COMM_WORLD);
      break;
    case 3:
      MPI_Reduce_scatter_block(sent, received, share, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
      break;
    default:
      MPI_Alltoall(sent, share, MPI_LONG, received, share, MPI_LONG, MPI_COMM_WORLD);
  }
}

static void start(int which, MPI_Request* request) {
  const int all = bytes / 8, share = all / ranks;
  switch (which) {
    case 0:
      MPI_Ibcast(received, all, MPI_LONG, 0, MPI_COMM_WORLD, request);
      break;
    case 1:
      MPI_Iallreduce(sent, received, all, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, request);
      break;
    case 2:
      MPI_Iallgather(sent, share, MPI_LONG, received, share, MPI_LONG, MPI_COMM_WORLD, request);
      break;
    case 3:
      MPI_Ireduce_scatter_block(sent, received, share, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, request);
      break;
    default:
      MPI_Ialltoall(sent, share, MPI_LONG, received, share, MPI_LONG, MPI_COMM_WORLD, request);
  }
}

/* In place of computation the rank sleeps for so long, or somewhat longer, and says how long: so the ranks of an emulated cluster, which share a few processors, compute side
 * by side, as they would on processors of their own. */
static double compute(double seconds) {
  const double begin = MPI_Wtime();
  const double whole = floor(seconds);
  const struct timespec length = {(time_t)whole, (long)((seconds - whole) * 1e9)};
  nanosleep(&length, NULL);
  return MPI_Wtime() - begin;
}

/* Computes for so long after the start; with tests each millisecond, or without. */
static void start_and_compute(int which, double seconds, int with_tests) {
  MPI_Request request;
  int flag;
  start(which, &request);
  const double slice = with_tests ? 1e-3 : seconds;
  for (double done = 0; done < seconds;) {
    done += compute(slice < seconds - done ? slice : seconds - done);
    if (with_tests) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int by_size(const void* left, const void* right) {
  const double difference = *(const double*)left - *(const double*)right;
  return (difference > 0) - (difference < 0);
}

enum way { blocking, waited, tested, alone };

/* The median of the slowest rank's times. */
static double median_of(enum way way, int which, double seconds, int repetitions) {
  double times[most_repetitions];
  for (int i = 0; i < repetitions; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    if (way == blocking)
      call(which);
    else
      start_and_compute(which, way == waited ? 0 : seconds, way == tested);
    const double own = MPI_Wtime() - begin;
    MPI_Allreduce(&own, &times[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  qsort(times, (size_t)repetitions, sizeof(double), by_size);
  return times[repetitions / 2];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bytes = argc > 1 ? atoi(argv[1]) : 8 << 20;
  const int asked = argc > 2 ? atoi(argv[2]) : 5;
  const int repetitions = asked < 1 ? 1 : asked > most_repetitions ? most_repetitions : asked;
  sent = calloc((size_t)bytes, 1);
  received = calloc((size_t)bytes, 1);
  if (rank == 0)
    printf("%-22s %10s %10s %10s %10s  %s\n", "ms", "blocking", "waited", "tested", "alone", "hidden");
  for (int which = 0; which < collectives; ++which) {
    median_of(blocking, which, 0, 2);
    const double blocks = median_of(blocking, which, 0, repetitions);
    median_of(waited, which, 0, 1);
    const double waits = median_of(waited, which, 0, repetitions);
    const double tests = median_of(tested, which, waits, repetitions);
    const double leaves = median_of(alone, which, waits, repetitions);
    if (rank == 0) {
      printf("%-22s %10.1f %10.1f %10.1f %10.1f  %.0f %%, %.0f %%\n", names[which], blocks * 1e3, waits * 1e3,
             tests * 1e3, leaves * 1e3, 100 * (2 * waits - tests) / waits,
             100 * (2 * waits - leaves) / waits);
      fflush(stdout);
    }
  }
  free(sent);
  free(received);
  MPI_Finalize();
  return 0;
}
