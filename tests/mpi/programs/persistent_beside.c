/* Persistent collectives beside what else a program may do with their communicator and their data.
 *
 *   persistent_beside exchange    ranks start one before or after an irregular exchange that blocks, each as it likes
 *   persistent_beside freed       it is started after its communicator was freed
 *   persistent_beside kept        to set up sums of a type of which Rota knows nothing changes no values; prints that, or "no such type" */
#include <string.h>

#include "check.h"

enum { COUNT = 5000, RANKS_AT_MOST = 16 };

static int rank, ranks;

static int told_goes_wrong(const int* data, int turn) {
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != i + turn;
  return wrong;
}

static int exchange_goes_wrong(int turn) {
  int sent[RANKS_AT_MOST], received[RANKS_AT_MOST], counts[RANKS_AT_MOST], places[RANKS_AT_MOST], wrong = 0;
  for (int i = 0; i < ranks; ++i) sent[i] = 100 * rank + i + turn, counts[i] = 1, places[i] = i;
  MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < ranks; ++i) wrong |= received[i] != 100 * i + rank + turn;
  return wrong;
}

static int beside_exchanges(void) {
  int data[COUNT], wrong = 0;
  MPI_Request request;
  MPI_Bcast_init(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int turn = 0; turn < 10; ++turn) {
    for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i + turn : -1;
    const int is_first = (rank + turn) % 2;
    if (is_first) MPI_Start(&request);
    wrong |= exchange_goes_wrong(turn);
    if (!is_first) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong |= told_goes_wrong(data, turn);
  }
  MPI_Request_free(&request);
  return wrong;
}

static int after_freeing(void) {
  int data[COUNT], wrong = 0;
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Bcast_init(data, COUNT, MPI_INT, 0, comm, MPI_INFO_NULL, &request);
  MPI_Comm_free(&comm);
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i + turn : -1;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong |= told_goes_wrong(data, turn);
  }
  MPI_Request_free(&request);
  return wrong;
}

/* Of those that an MPI library may have, one that it can add. */
static MPI_Datatype unknown_type(void) {
  MPI_Datatype types[] = {MPI_DATATYPE_NULL, MPI_CXX_DOUBLE_COMPLEX, MPI_REAL16};
  char one[64] = {0}, other[64];
  MPI_Type_create_f90_real(15, 200, &types[0]);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (types[i] != MPI_DATATYPE_NULL &&
        MPI_Allreduce(one, other, 1, types[i], MPI_SUM, MPI_COMM_SELF) == MPI_SUCCESS)
      return types[i];
  }
  return MPI_DATATYPE_NULL;
}

static int is_changed(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] != 7) return 1;
  return 0;
}

static int set_up_only(void) {
  static char sent[RANKS_AT_MOST * 16 * COUNT], kept[16 * COUNT];
  const MPI_Datatype type = unknown_type();
  MPI_Request requests[5];
  if (rank == 0) puts(type == MPI_DATATYPE_NULL ? "no such type" : "kept");
  if (type == MPI_DATATYPE_NULL) return 0;
  memset(kept, 7, sizeof kept);
  MPI_Allreduce_init(sent, kept, COUNT, type, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Reduce_init(sent, kept, COUNT, type, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Scan_init(sent, kept, COUNT, type, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  MPI_Exscan_init(sent, kept, COUNT, type, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[3]);
  MPI_Reduce_scatter_block_init(sent, kept, COUNT, type, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                &requests[4]);
  const int wrong = is_changed(kept, sizeof kept);
  for (int i = 0; i < 5; ++i) MPI_Request_free(&requests[i]);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int wrong = strcmp(argv[1], "exchange") == 0 ? beside_exchanges()
                    : strcmp(argv[1], "freed") == 0  ? after_freeing()
                                                     : set_up_only();
  return end_with(wrong);
}
