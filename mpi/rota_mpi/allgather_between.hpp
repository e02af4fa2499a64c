// Allgather and allgatherv between two groups.
#pragma once

#include "rota_mpi/received.hpp"
#include "rota_mpi/serve.hpp"

namespace rota::mpi {

/// What one rank sends to all of the other group and receives from them, on an inter-communicator.
struct AllgatherBetween {
  MPI_Comm comm;
  const Data& sent;
  const Received& received;
};

/// Allgather: all ranks of a group have equally much, so that everybody knows everything.
int serve_regular_between(const AllgatherBetween& call, NativeCall native);

/// Allgatherv: a rank knows its own share and those of the other group. What is missing is found out
/// together, with a reduction of one number and, if there is enough data, an allgather of the shares; after
/// looks that found too little, calls are left to the MPI library without one, as in rota_mpi/watch.hpp.
int serve_irregular_between(const AllgatherBetween& call, NativeCall native);

}  // namespace rota::mpi
