// MPI_Bcast of any count.
#pragma once

#include "rota_mpi/data/items.hpp"

namespace rota::mpi {

/// MPI's code. In ints where the library has no other form.
inline int broadcast(const Data& data, int root, MPI_Comm comm) {
#if MPI_VERSION >= 4
  return pmpi.Bcast_c(data.buffer, data.count, data.type, root, comm);
#else
  return pmpi.Bcast(data.buffer, static_cast<int>(data.count), data.type, root, comm);
#endif
}

}  // namespace rota::mpi
