/* What it gains to set up a sum once (MPI_Allreduce_init), in an MPI program that knows nothing of Rota.
 *
 *     set_up_once BYTES [STARTS]
 *
 * So many blocking calls and so many starts take turns; prints medians over them of what the slowest rank
 * takes, in
 * microseconds, and the median of the ratios, pair by pair. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int by_size(const void* one, const void* other) {
  const double a = *(const double*)one, b = *(const double*)other;
  return (a > b) - (a < b);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_size);
  return values[count / 2];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 1 << 20, starts = argc > 2 ? atoi(argv[2]) : 1000;
  const int items = bytes / (int)sizeof(long);
  long* const sent = calloc((size_t)items + 1, sizeof *sent);
  long* const sum = calloc((size_t)items + 1, sizeof *sum);
  double* const times[3] = {calloc((size_t)starts, sizeof(double)), calloc((size_t)starts, sizeof(double)),
                            calloc((size_t)starts, sizeof(double))};
  MPI_Request request;
  MPI_Allreduce_init(sent, sum, items, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = -2; i < starts; ++i) { /* the first two connect ranks */
    double took[2];
    MPI_Barrier(MPI_COMM_WORLD);
    took[0] = -MPI_Wtime();
    MPI_Allreduce(sent, sum, items, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    took[0] += MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    took[1] = -MPI_Wtime();
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    took[1] += MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, took, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i < 0) continue;
    times[0][i] = took[0];
    times[1][i] = took[1];
    times[2][i] = took[1] / took[0];
  }
  MPI_Request_free(&request);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("%d bytes: blocking %.0f us, started %.0f us, ratio %.3f\n", bytes, 1e6 * median(times[0], starts),
           1e6 * median(times[1], starts), median(times[2], starts));
  for (int i = 0; i < 3; ++i) free(times[i]);
  free(sent);
  free(sum);
  MPI_Finalize();
  return 0;
}
