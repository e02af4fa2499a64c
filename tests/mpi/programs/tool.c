/* A tool as profilers are: it counts a program's calls of MPI, on all ranks together, and calls PMPI.
 *
 * Rank 0 prints the counts at MPI_Finalize. Messages are those that MPI_Isend, MPI_Issend and MPI_Irecv
 * begin. */
#include <mpi.h>
#include <stdio.h>

enum { INITS, FINALIZES, BCASTS, ALLREDUCES, MESSAGES, COMMUNICATORS, COUNTED };

static long counts[COUNTED];

int MPI_Init(int* argc, char*** argv) {
  ++counts[INITS];
  return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  ++counts[INITS];
  return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void) {
  ++counts[FINALIZES];
  int rank;
  long all[COUNTED];
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(counts, all, COUNTED, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("tool: init %ld finalize %ld bcast %ld allreduce %ld messages %ld communicators %ld\n", all[INITS],
           all[FINALIZES], all[BCASTS], all[ALLREDUCES], all[MESSAGES], all[COMMUNICATORS]);
    fflush(stdout);
  }
  return PMPI_Finalize();
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  ++counts[BCASTS];
  return PMPI_Bcast(buffer, count, datatype, root, comm);
}

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  ++counts[ALLREDUCES];
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++counts[MESSAGES];
  return PMPI_Isend(buf, count, datatype, dest, tag, comm, request);
}

int MPI_Issend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  ++counts[MESSAGES];
  return PMPI_Issend(buf, count, datatype, dest, tag, comm, request);
}

int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++counts[MESSAGES];
  return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  ++counts[COMMUNICATORS];
  return PMPI_Comm_create(comm, group, newcomm);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  ++counts[COMMUNICATORS];
  return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
}
