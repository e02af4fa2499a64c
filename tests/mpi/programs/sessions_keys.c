/* Sessions one after the other, each the only one while it lasts: keys of attributes, and what else a process
 * gets from MPI, begin anew in each. The program's own attributes are its own.
 *
 * Without the pause between them MPICH 5.0.2 hangs once in some thirty runs, with or without Rota. */
#include <time.h>

#include "check.h"

enum { COUNT = 100000, KEYS = 6 };

static int deletions;

static int delete(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

static int exchange_goes_wrong(MPI_Comm comm) {
  int rank, size, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int counts[8], places[8];
  for (int i = 0; i < size; ++i) counts[i] = COUNT, places[i] = i * COUNT;
  const size_t bytes = (size_t)size * COUNT * sizeof(int);
  int *const sent = malloc(bytes), *const got = malloc(bytes);
  for (int i = 0; i < size * COUNT; ++i) sent[i] = rank * 7 + i / COUNT;
  wrong |= MPI_Alltoallv(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, comm) != MPI_SUCCESS;
  for (int i = 0; i < size * COUNT; ++i) wrong |= got[i] != i / COUNT * 7 + rank;
  free(sent);
  free(got);
  return wrong;
}

static int session_goes_wrong(int number) {
  static int values[KEYS];
  int keys[KEYS], wrong = 0;
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "rota.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  deletions = 0;
  /* who wants keys of its own has them before the program in the first session, behind it in the next */
  if (number == 0) wrong |= broadcast_goes_wrong(comm, 0, COUNT, 1) | exchange_goes_wrong(comm);
  for (int i = 0; i < KEYS; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keys[i], NULL);
    MPI_Comm_set_attr(comm, keys[i], &values[i]);
  }
  wrong |= broadcast_goes_wrong(comm, 1, COUNT, number) | exchange_goes_wrong(comm);
  for (int i = 0; i < KEYS; ++i) {
    void* value = NULL;
    int is_there = 0;
    MPI_Comm_get_attr(comm, keys[i], &value, &is_there);
    wrong |= !is_there || value != &values[i];
  }
  wrong |= deletions != 0;
  MPI_Comm_free(&comm);
  wrong |= deletions != KEYS;
  for (int i = 0; i < KEYS; ++i) MPI_Comm_free_keyval(&keys[i]);
  MPI_Session_finalize(&session);
  nanosleep(&(struct timespec){0, 200000000}, NULL);
  return wrong;
}

int main(void) {
  int wrong = 0;
  for (int number = 0; number < 2; ++number) wrong |= session_goes_wrong(number);
  return wrong;
}
