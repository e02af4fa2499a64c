/* Allgathers between two ranks and all others: of the two ranks' data only, then of as much, while one of the others has some too. */
#include "check.h"

enum { PER_MEBIBYTE = 1048576 / sizeof(int), SENDERS = 2, RANKS_AT_MOST = 32 };

static int value(int sender, int i) { return 1000 * sender + i % 1000; }

/* So many ints from each of the own group's ranks, and from the other's. */
static int goes_wrong(MPI_Comm between, int first, int own_count, const int* counts, int others) {
  int places[RANKS_AT_MOST], rank, all = 0, wrong = 0;
  MPI_Comm_rank(between, &rank);
  for (int i = 0; i < others; ++i) places[i] = all, all += counts[i];
  int* const sent = malloc(((size_t)own_count + 1) * sizeof(int));
  int* const received = malloc(((size_t)all + 1) * sizeof(int));
  for (int i = 0; i < own_count; ++i) sent[i] = value(first + rank, i);
  MPI_Allgatherv(sent, own_count, MPI_INT, received, counts, places, MPI_INT, between);
  for (int r = 0; r < others; ++r)
    for (int i = 0; i < counts[r]; ++i)
      wrong |= received[places[r] + i] != value((first == 0 ? SENDERS : 0) + r, i);
  free(sent);
  free(received);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm own, between;
  const int is_sender = rank < SENDERS, others = is_sender ? ranks - SENDERS : SENDERS;
  MPI_Comm_split(MPI_COMM_WORLD, is_sender, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, is_sender ? SENDERS : 0, 1, &between);
  for (int call = 0; call < 6; ++call) {
    const int is_both = call % 3 == 2;
    int counts[RANKS_AT_MOST] = {0};
    if (is_sender) {
      counts[0] = is_both ? PER_MEBIBYTE : 0;
    } else {
      counts[0] = counts[1] = PER_MEBIBYTE;
    }
    const int mine = is_sender || (is_both && rank == SENDERS) ? PER_MEBIBYTE : 0;
    wrong |= goes_wrong(between, is_sender ? 0 : SENDERS, mine, counts, others);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return end_with(wrong);
}
