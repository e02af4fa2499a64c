#include "rota_mpi/way/stand_in.hpp"

#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

StandIn::~StandIn() {
  if (request_ != MPI_REQUEST_NULL) pmpi.Request_free(&request_);
}

bool StandIn::is_over() { return mpi::is_over(request_); }

}  // namespace rota::mpi
