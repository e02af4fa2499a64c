#include "rota_mpi/sides.hpp"

#include "rota_mpi/serve.hpp"

namespace rota::mpi {

bool is_refused(const Data& data) {
  return data.count < 0 || data.type == MPI_DATATYPE_NULL || is_nowhere(data);
}

}  // namespace rota::mpi
