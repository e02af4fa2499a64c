/* A session in a program that calls MPI_Init too: collectives on communicators of both. */
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
  }
  MPI_Comm_dup(comm, &duplicate);
  wrong |= broadcast_goes_wrong(duplicate, 0, COUNT, 5) | sum_goes_wrong(duplicate);
  MPI_Comm_free(&duplicate);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, COUNT, 6);
  return end_with(wrong);
}
