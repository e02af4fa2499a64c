// MPI_Bcast of any count.
#pragma once

#include "rota_mpi/data/items.hpp"
#include "rota_mpi/library/counted.hpp"

namespace rota::mpi {

/// MPI's code.
inline int broadcast(const Data& data, int root, MPI_Comm comm) {
  return counted::Bcast(data.buffer, counted::number(data.count), data.type, root, comm);
}

}  // namespace rota::mpi
