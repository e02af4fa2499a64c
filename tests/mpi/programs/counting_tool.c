/* A tool that counts calls, in the way that the MPI standard has for tools: it defines MPI_X and calls PMPI_X.
 * At MPI_Finalize every rank says on standard error how often it has called what. */
#include <mpi.h>
#include <stdio.h>

enum { INIT, FINALIZE, BCAST, REDUCE, ALLREDUCE, ALLGATHER, ALLTOALL, BARRIER, FUNCTIONS };

static const char* const names[FUNCTIONS] = {"Init",      "Finalize",  "Bcast",    "Reduce",
                                             "Allreduce", "Allgather", "Alltoall", "Barrier"};
static int calls[FUNCTIONS];

int MPI_Init(int* argc, char*** argv) {
  ++calls[INIT];
  return PMPI_Init(argc, argv);
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++calls[FINALIZE];
  for (int i = 0; i < FUNCTIONS; ++i) fprintf(stderr, "tool: rank %d: %s %d\n", rank, names[i], calls[i]);
  return PMPI_Finalize();
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++calls[BCAST];
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  ++calls[REDUCE];
  return PMPI_Reduce(sent, received, count, type, op, root, comm);
}

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++calls[ALLREDUCE];
  return PMPI_Allreduce(sent, received, count, type, op, comm);
}

int MPI_Allgather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                  int received_count, MPI_Datatype received_type, MPI_Comm comm) {
  ++calls[ALLGATHER];
  return PMPI_Allgather(sent, sent_count, sent_type, received, received_count, received_type, comm);
}

int MPI_Alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm comm) {
  ++calls[ALLTOALL];
  return PMPI_Alltoall(sent, sent_count, sent_type, received, received_count, received_type, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  ++calls[BARRIER];
  return PMPI_Barrier(comm);
}
