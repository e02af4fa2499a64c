/* Many calls of one collective that return at once, of as many bytes each time: ibcast, iallgather, iallreduce or iscan (of ints), isum
 * (iallreduce of doubles), ireduce, ireduce_scatter, ialltoall. Of calls that block there is one on 4 bytes
 * after every ten of them.
 *
 *   at_once COLLECTIVE BYTES CALLS */
#include <string.h>

#include "check.h"

static int rank, ranks;

/* All ranks have zeros, but the root of a broadcast, whose bytes are those of `call`. */
static MPI_Request started(const char* name, char* sent, char* received, int bytes, int call) {
  const int ints = bytes / (int)sizeof(int), doubles = bytes / (int)sizeof(double);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm comm = MPI_COMM_WORLD;
  if (strcmp(name, "ibcast") == 0) {
    if (rank == 1) memset(received, call, (size_t)bytes);
    MPI_Ibcast(received, bytes, MPI_BYTE, 1, comm, &request);
  }
  if (strcmp(name, "iallgather") == 0)
    MPI_Iallgather(sent, bytes / ranks, MPI_BYTE, received, bytes / ranks, MPI_BYTE, comm, &request);
  if (strcmp(name, "ialltoall") == 0)
    MPI_Ialltoall(sent, bytes / ranks, MPI_BYTE, received, bytes / ranks, MPI_BYTE, comm, &request);
  if (strcmp(name, "iallreduce") == 0) MPI_Iallreduce(sent, received, ints, MPI_INT, MPI_SUM, comm, &request);
  if (strcmp(name, "isum") == 0) MPI_Iallreduce(sent, received, doubles, MPI_DOUBLE, MPI_SUM, comm, &request);
  if (strcmp(name, "iscan") == 0) MPI_Iscan(sent, received, ints, MPI_INT, MPI_SUM, comm, &request);
  if (strcmp(name, "ireduce") == 0)
    MPI_Ireduce(sent, received, ints, MPI_INT, MPI_SUM, ranks - 1, comm, &request);
  if (strcmp(name, "ireduce_scatter") == 0)
    MPI_Ireduce_scatter_block(sent, received, ints / ranks, MPI_INT, MPI_SUM, comm, &request);
  return request;
}

/* Does one go wrong? */
static int goes_wrong(const char* name, char* sent, char* received, int bytes, int call) {
  const int is_bcast = strcmp(name, "ibcast") == 0;
  if (!is_bcast) memset(received, 0, (size_t)bytes);
  MPI_Request request = started(name, sent, received, bytes, call);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int wrong = 0;
  for (int i = 0; i < bytes; ++i) wrong |= received[i] != (is_bcast ? (char)call : 0);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const name = argc == 4 ? argv[1] : "";
  const int bytes = argc == 4 ? atoi(argv[2]) : 0, calls = argc == 4 ? atoi(argv[3]) : 0;
  char *const sent = calloc((size_t)bytes + 1, 1), *const received = calloc((size_t)bytes + 1, 1);
  int wrong = calls == 0;
  for (int call = 0; call < calls; ++call) {
    wrong |= goes_wrong(name, sent, received, bytes, call);
    int most = 0;
    if (call % 20 == 19) MPI_Barrier(MPI_COMM_WORLD);
    if (call % 10 == 9) MPI_Allreduce(&call, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    wrong |= call % 10 == 9 && most != call;
  }
  free(sent);
  free(received);
  return end_with(wrong);
}
