// Allgather and allgatherv between two groups.
#pragma once

#include "rota_mpi/calls/moving/received.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

/// What one rank sends to all of the other group and receives from them, on an inter-communicator.
struct AllgatherBetween {
  MPI_Comm comm;
  const Data& sent;
  const Received& received;
};

/// In an allgather on an inter-communicator, do both groups have too little data for each other to be worth a
/// closer look? The same on all ranks; false where arguments are wrong.
bool is_small_between(MPI_Comm comm, const CommKind& kind, const Data& sent, const Data& received);

/// Allgather: all ranks of a group have equally much, so that everybody knows everything.
int serve_regular_between(const AllgatherBetween& call, NativeCall native);

/// Allgatherv: a rank knows its own share and those of the other group. What is missing is found out
/// together, with a reduction of two numbers and, if there is enough data, an allgather of the shares; after
/// looks that found too little, calls are left to the MPI library without one, as in rota_mpi/way/watch.hpp.
int serve_irregular_between(const AllgatherBetween& call, NativeCall native);

}  // namespace rota::mpi
