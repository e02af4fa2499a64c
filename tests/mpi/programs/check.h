/* What these programs have in common: a broadcast whose result is checked, and an end that all ranks agree on. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* As MPI_Bcast, by the one that returns at once. */
static inline int bcast_at_once(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  MPI_Request request;
  const int code = MPI_Ibcast(data, count, type, root, comm, &request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

/* Broadcasts `count` ints that depend on `mark`, by MPI_Bcast or the like. Is the result wrong, or did the call fail? */
static inline int broadcast_by_goes_wrong(int (*bcast)(void*, int, MPI_Datatype, int, MPI_Comm),
                                          MPI_Comm comm, int root, int count, int mark) {
  int rank, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  int* const data = malloc((size_t)(count + 1) * sizeof(int));
  for (int i = 0; i <= count; ++i) data[i] = rank == root && i < count ? i + mark : -1;
  if (bcast(data, count, MPI_INT, root, comm) != MPI_SUCCESS) wrong = 1;
  for (int i = 0; i < count; ++i) wrong |= data[i] != i + mark;
  wrong |= data[count] != -1;
  free(data);
  return wrong;
}

static inline int broadcast_goes_wrong(MPI_Comm comm, int root, int count, int mark) {
  return broadcast_by_goes_wrong(MPI_Bcast, comm, root, count, mark);
}

/* Ends MPI; the status for main to return, 1 on all ranks if anything went wrong on any. */
static inline int end_with(int wrong) {
  int any_wrong = 0;
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any_wrong;
}

#endif
