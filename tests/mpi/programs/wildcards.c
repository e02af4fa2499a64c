/* Receives from anyone with any tag are open on the communicator while it broadcasts, and get only the program's message. */
#include "check.h"

enum { OPEN = 3 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;

  int got[OPEN] = {-1, -1, -1};
  MPI_Request open[OPEN];
  for (int i = 0; i < OPEN; ++i) {
    MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &open[i]);
  }
  for (int i = 0; i < 20; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, i % size, 1 + 50 * i, i);
  int count;
  MPI_Testsome(OPEN, open, &count, (int[OPEN]){0}, MPI_STATUSES_IGNORE);
  wrong |= count != 0;
  MPI_Barrier(MPI_COMM_WORLD);

  /* The first message is waiting, unexpected, while the last broadcasts go by. */
  for (int i = 0; i <= OPEN; ++i) MPI_Send(&rank, 1, MPI_INT, next, 40 + i, MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, i % size, 1 + 50 * i, i);
  MPI_Status statuses[OPEN + 1];
  MPI_Waitall(OPEN, open, statuses);
  int fourth = -1, is_there;
  MPI_Recv(&fourth, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &statuses[OPEN]);
  for (int i = 0; i <= OPEN; ++i) {
    wrong |= statuses[i].MPI_TAG != 40 + i || statuses[i].MPI_SOURCE != last ||
             (i < OPEN ? got[i] : fourth) != last;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  wrong |= is_there;
  return end_with(wrong);
}
