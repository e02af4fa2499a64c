#include "clock.hpp"

#include <mpi.h>

namespace rota::tune {

Clock::Clock() : start_s_(MPI_Wtime()) {}

double Clock::seconds() const {
  double passed_s = MPI_Wtime() - start_s_;
  MPI_Bcast(&passed_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return passed_s;
}

}  // namespace rota::tune
