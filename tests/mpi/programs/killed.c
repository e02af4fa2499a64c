/* Ten broadcasts, and an end without MPI_Finalize.
 *
 *   killed wait            says "ready" with its process id on rank 0 and waits to be ended
 *   killed locked          the same with the standard streams locked by who is ended
 *   killed abort RANK      that rank calls MPI_Abort; all: every one
 *   killed abort 1 FILE    rank 0 ends by SIGTERM as soon as FILE is there, as where a launcher gives it time
 *   killed within          rank 0 calls MPI_Abort in a handler, of a signal that comes with the streams locked
 *
 * Or with one:
 *
 *   killed handled         all have SIGTERM for themselves, with a handler of their own from before MPI_Init
 *   killed handles         the same from after MPI_Init
 *   killed ignores         the same where SIGTERM is ignored
 *   killed child           rank 0 has a child killed */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int rank;
static volatile sig_atomic_t is_over;

static void on_end(int number) {
  (void)number;
  is_over = 1;
}

static void on_fault(int number) { MPI_Abort(MPI_COMM_WORLD, number); }

static void lock(void) {
  flockfile(stdout);
  flockfile(stderr);
}

static int wait_for_end(void) {
  char ready[32];
  const int length = snprintf(ready, sizeof ready, "ready %d\n", (int)getpid());
  if (rank == 0 && write(STDOUT_FILENO, ready, (size_t)length) < 0) return 1;
  sleep(60);
  return end_with(1);
}

static void end_behind(const char* file) {
  while (access(file, F_OK) != 0) usleep(100);
  raise(SIGTERM);
}

/* Of SIGTERM. */
static int child_ends_by_itself(void) {
  if (rank != 0) return 0;
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  kill(child, SIGTERM);
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
}

static int is(const char* how, const char* name) { return strcmp(how, name) == 0; }

/* Has what is to be survived gone wrong? */
static int survives(const char* how) {
  if (is(how, "child")) return rank == 0 && !child_ends_by_itself();
  raise(SIGTERM);
  return is_over == is(how, "ignores");
}

int main(int argc, char** argv) {
  const char* const how = argv[1];
  if (is(how, "ignores")) signal(SIGTERM, SIG_IGN);
  if (is(how, "handled")) signal(SIGTERM, on_end);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (is(how, "handles")) signal(SIGTERM, on_end);
  int wrong = 0;
  for (int i = 0; i < 10; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 1000, i);
  if (is(how, "wait") || is(how, "locked")) {
    if (is(how, "locked")) lock();
    return wait_for_end();
  }
  if (is(how, "abort") && (is(argv[2], "all") || atoi(argv[2]) == rank)) MPI_Abort(MPI_COMM_WORLD, 3);
  if (is(how, "abort") && argc > 3 && rank == 0) end_behind(argv[3]);
  if (is(how, "within") && rank == 0) {
    signal(SIGFPE, on_fault);
    lock();
    raise(SIGFPE);
  }
  if (is(how, "abort") || is(how, "within")) return wait_for_end();
  return end_with(wrong || survives(how));
}
