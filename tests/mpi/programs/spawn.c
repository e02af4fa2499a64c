/* Starts two more processes of itself and makes calls among all: broadcasts, from each in turn, and irregular ones.
 *
 *   spawn              they begin as this one did
 *   spawn strangers    they preload nothing */
#include "check.h"

enum { RANKS_AT_MOST = 16 };

static MPI_Comm with_children(char* program, int are_strangers) {
  MPI_Comm between;
  char* bare[] = {"-u", "LD_PRELOAD", program, NULL};
  MPI_Comm_spawn(are_strangers ? "env" : program, are_strangers ? bare : MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0,
                 MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
  return between;
}

/* Each has one int for each other rank, or for each of the other group. */
static int irregular_go_wrong(MPI_Comm all, MPI_Comm between) {
  int sent[RANKS_AT_MOST], received[RANKS_AT_MOST], ones[RANKS_AT_MOST], places[RANKS_AT_MOST];
  int rank, ranks, own, others, wrong = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  for (int i = 0; i < ranks; ++i) sent[i] = 100 * rank + i, ones[i] = 1, places[i] = i;
  MPI_Alltoallv(sent, ones, places, MPI_INT, received, ones, places, MPI_INT, all);
  for (int i = 0; i < ranks; ++i) wrong |= received[i] != 100 * i + rank;
  MPI_Comm_rank(between, &own);
  MPI_Comm_remote_size(between, &others);
  MPI_Allgatherv(&own, 1, MPI_INT, received, ones, places, MPI_INT, between);
  for (int i = 0; i < others; ++i) wrong |= received[i] != i;
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm between, all;
  int size, wrong = 0;
  MPI_Comm_get_parent(&between);
  const int is_child = between != MPI_COMM_NULL;
  if (!is_child) between = with_children(argv[0], argc > 1);
  MPI_Intercomm_merge(between, is_child, &all);
  MPI_Comm_size(all, &size);
  for (int root = 0; root < size; ++root) wrong |= broadcast_goes_wrong(all, root, 10000, root);
  wrong |= irregular_go_wrong(all, between);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&between);
  return end_with(wrong);
}
