// A channel and a queue of their own, on a communicator's ranks: for an operation that ranks may start in orders of their own.
//
// Persistent collectives are set up in the same order on all ranks, but started in any, also beside calls that return at once and
// blocking ones (MPI 4.1, Persistent Collective Operations). So each has messages that are told apart from all others, and waits for nobody else's turn.
//
//     rank 0    start A, start B        channel and queue of A      of B      of the communicator
//     rank 1    start B, start A
#pragma once

#include "rota_mpi/communicators/channel.hpp"
#include "rota_mpi/communicators/outstanding.hpp"

namespace rota::mpi {

struct Lane {
  Lane(const Channel& beside, World& world, int tag, bool is_leader)
      : channel(beside, world, tag, is_leader) {}

  Channel channel;
  Queue queue;
};

}  // namespace rota::mpi
