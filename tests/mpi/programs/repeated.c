/* One pattern a hundred times, then one with another message on one rank only, then the first again. */
#include "check.h"

enum { CALLS = 100, ITEMS = 1000 };

static int rank, ranks;

/* Three quarters of all messages are none. */
static int items_of(int from, int to, int changed) {
  if (changed && from == 1 && to == 0) return ITEMS + 1;
  return (from * 7 + to * 3) % 4 == 0 ? ITEMS - from : 0;
}

static int exchange_goes_wrong(int mark, int changed) {
  int counts[2][64], places[2][64], total[2] = {0, 0}, wrong = 0;
  for (int way = 0; way < 2; ++way) {
    for (int i = 0; i < ranks; ++i) {
      counts[way][i] = way == 0 ? items_of(rank, i, changed) : items_of(i, rank, changed);
      places[way][i] = total[way];
      total[way] += counts[way][i];
    }
  }
  int* const sent = malloc((size_t)(total[0] + 1) * sizeof(int));
  int* const received = malloc((size_t)(total[1] + 1) * sizeof(int));
  for (int i = 0; i < ranks; ++i)
    for (int k = 0; k < counts[0][i]; ++k) sent[places[0][i] + k] = mark + rank * 1000000 + i * 10000 + k;
  MPI_Alltoallv(sent, counts[0], places[0], MPI_INT, received, counts[1], places[1], MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < ranks; ++i)
    for (int k = 0; k < counts[1][i]; ++k)
      wrong |= received[places[1][i] + k] != mark + i * 1000000 + rank * 10000 + k;
  free(sent);
  free(received);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int wrong = 0;
  for (int call = 0; call < CALLS; ++call) wrong |= exchange_goes_wrong(call, 0);
  wrong |= exchange_goes_wrong(CALLS, 1);
  wrong |= exchange_goes_wrong(CALLS + 1, 0);
  return end_with(wrong);
}
