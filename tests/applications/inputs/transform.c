/* A two-dimensional Fourier transform with FFTW's MPI interface, there and back, transposed in between. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

enum { EDGE = 1024, TURNS = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ptrdiff_t rows, first;
  const ptrdiff_t held = fftw_mpi_local_size_2d(EDGE, EDGE, MPI_COMM_WORLD, &rows, &first);
  fftw_complex* const data = fftw_alloc_complex(held);
  const fftw_plan there =
      fftw_mpi_plan_dft_2d(EDGE, EDGE, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  const fftw_plan back =
      fftw_mpi_plan_dft_2d(EDGE, EDGE, data, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (int turn = 0; turn < TURNS; ++turn) {
    for (ptrdiff_t i = 0; i < rows * EDGE; ++i) {
      const double place = (double)(first * EDGE + i);
      data[i][0] = sin(0.001 * place + turn);
      data[i][1] = cos(0.003 * place);
    }
    double away = 0, most;
    fftw_execute(there);
    double here = 0, energy;
    for (ptrdiff_t i = 0; i < rows * EDGE; ++i) here += data[i][0] * data[i][0] + data[i][1] * data[i][1];
    fftw_execute(back);
    for (ptrdiff_t i = 0; i < rows * EDGE; ++i)
      away = fmax(away, fabs(data[i][0] / EDGE / EDGE - sin(0.001 * (double)(first * EDGE + i) + turn)));
    MPI_Reduce(&here, &energy, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&away, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("energy %.9e, there and back %s\n", energy, most < 1e-10 ? "alike" : "differ");
  }
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(data);
  MPI_Finalize();
  return 0;
}
