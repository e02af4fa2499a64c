/* A session in a program that calls MPI_Init too: collectives on communicators of both. What returns at once, or is set up, on the
 * session's is waited for together with the session's own messages, in one call. */
#include "check.h"

enum { COUNT = 100000 };

static int sum_goes_wrong(MPI_Comm comm) {
  int size, wrong = 0;
  MPI_Comm_size(comm, &size);
  double *const sent = malloc(COUNT * sizeof(double)), *const got = malloc(COUNT * sizeof(double));
  for (int i = 0; i < COUNT; ++i) sent[i] = i;
  wrong |= MPI_Allreduce(sent, got, COUNT, MPI_DOUBLE, MPI_SUM, comm) != MPI_SUCCESS;
  for (int i = 0; i < COUNT; ++i) wrong |= got[i] != (double)size * i;
  free(sent);
  free(got);
  return wrong;
}

/* Started, waited for and started again, beside a message to the next rank. */
static int started_goes_wrong(MPI_Comm comm) {
  enum { starts = 3 };
  int rank, size, wrong = 0, out, in;
  MPI_Request requests[4];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int *const data = calloc(COUNT, sizeof(int)), *const sums = calloc(COUNT, sizeof(int)),
             *const ranks = calloc(COUNT, sizeof(int));
  for (int i = 0; i < COUNT; ++i) ranks[i] = rank + i;
  MPI_Allreduce_init(ranks, sums, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[3]);
  for (int start = 0; start < starts; ++start) {
    for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i + start : -1;
    out = rank + start;
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 3, comm, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 3, comm, &requests[1]);
    MPI_Ibcast(data, COUNT, MPI_INT, 0, comm, &requests[2]);
    MPI_Startall(1, &requests[3]);
    wrong |= MPI_Waitall(4, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    wrong |= in != (rank + size - 1) % size + start;
    for (int i = 0; i < COUNT; ++i)
      wrong |= data[i] != i + start || sums[i] != size * (size - 1) / 2 + size * i;
  }
  MPI_Request_free(&requests[3]);
  free(data);
  free(sums);
  free(ranks);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm, duplicate;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "rota.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  int wrong = 0;
  for (int turn = 0; turn < 3; ++turn) {
    wrong |= broadcast_goes_wrong(comm, 1, COUNT, turn) | sum_goes_wrong(comm);
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 1, COUNT, turn) | sum_goes_wrong(MPI_COMM_WORLD);
    wrong |= started_goes_wrong(comm) | started_goes_wrong(MPI_COMM_WORLD);
  }
  MPI_Comm_dup(comm, &duplicate);
  wrong |= broadcast_goes_wrong(duplicate, 0, COUNT, 5) | sum_goes_wrong(duplicate);
  wrong |= started_goes_wrong(duplicate);
  MPI_Comm_free(&duplicate);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, COUNT, 6);
  return end_with(wrong);
}
