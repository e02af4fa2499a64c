/* While one thread makes the first large call on a communicator, another makes mistakes: each reaches the
 * program's handler.
 *
 *   window within|between|fatal     mistakes on that communicator; on MPI_COMM_WORLD during a call on an
 *                                   inter-communicator; one of rank 0, under the handler that ends the job
 *
 * Status 77: the MPI library has no such threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"

enum { TIMES = 10, COUNT = 100000 };

static atomic_int handled, has_begun, has_ended;

static void count_calls(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

static void sleep_ms(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, NULL); }

/* Sends to a rank that there is not, again and again; how often. */
static void* make_mistakes(void* argument) {
  const MPI_Comm comm = *(MPI_Comm*)argument;
  long mistakes = 0;
  while (!has_ended) {
    MPI_Send(&mistakes, 1, MPI_LONG, 1000, 0, comm);
    ++mistakes;
    has_begun = 1;
    if (mistakes % 16 == 0) sleep_ms(1);
  }
  return (void*)mistakes;
}

static int gather_goes_wrong(MPI_Comm between, int rank) {
  int others, wrong = 0;
  MPI_Comm_remote_size(between, &others);
  int *const sent = malloc(COUNT * sizeof(int)), *const got = malloc((size_t)others * COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) sent[i] = rank + i;
  wrong |= MPI_Allgather(sent, COUNT, MPI_INT, got, COUNT, MPI_INT, between) != MPI_SUCCESS;
  for (int i = 0; i < others * COUNT; ++i) wrong |= got[i] != (rank == 0 ? 1 + i / COUNT : 0) + i % COUNT;
  free(sent);
  free(got);
  return wrong;
}

static void* make_one_mistake(void* comm) {
  sleep_ms(100);
  MPI_Send(NULL, 0, MPI_INT, 1000, 0, *(MPI_Comm*)comm);
  return NULL;
}

/* The last rank comes late: the others wait for it within their calls. */
static int call_goes_wrong(MPI_Comm comm, MPI_Comm between, int rank, int ranks, long late_ms) {
  if (rank == ranks - 1) sleep_ms(late_ms);
  return between != MPI_COMM_NULL ? gather_goes_wrong(between, rank)
                                  : broadcast_goes_wrong(comm, ranks - 1, COUNT, 1);
}

static int mistakes_go_wrong(MPI_Comm comm, MPI_Comm between, int rank, int ranks) {
  pthread_t thread;
  void* mistakes;
  handled = has_begun = has_ended = 0;
  pthread_create(&thread, NULL, make_mistakes, &comm);
  while (!has_begun) sleep_ms(1);
  int wrong = call_goes_wrong(comm, between, rank, ranks, 10);
  has_ended = 1;
  pthread_join(thread, &mistakes);
  if (handled != (long)mistakes) printf("rank %d: %ld mistakes, %d handled\n", rank, (long)mistakes, handled);
  return wrong || handled != (long)mistakes;
}

static int mistake_is_survived(int rank, int ranks) {
  pthread_t thread;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == 0) pthread_create(&thread, NULL, make_one_mistake, &comm);
  const int wrong = call_goes_wrong(comm, MPI_COMM_NULL, rank, ranks, 300);
  if (rank == 0) pthread_join(thread, NULL);
  MPI_Comm_free(&comm);
  return wrong;
}

static MPI_Comm connect(int rank) {
  MPI_Comm side, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &between);
  MPI_Comm_free(&side);
  return between;
}

int main(int argc, char** argv) {
  int provided, rank, ranks, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return 77;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (strcmp(argv[1], "fatal") == 0) return end_with(mistake_is_survived(rank, ranks)); /* not reached */
  const int is_between = strcmp(argv[1], "between") == 0;
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count_calls, &handler);
  if (is_between) MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (int i = 0; i < TIMES; ++i) {
    MPI_Comm comm = MPI_COMM_WORLD, between = MPI_COMM_NULL;
    if (is_between) {
      between = connect(rank);
    } else {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      MPI_Comm_set_errhandler(comm, handler);
    }
    wrong |= mistakes_go_wrong(comm, between, rank, ranks);
    MPI_Comm_free(is_between ? &between : &comm);
  }
  MPI_Errhandler_free(&handler);
  return end_with(wrong);
}
