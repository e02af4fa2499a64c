// The private communicator that accompanies each of the program's, and what Rota knows about its ranks.
//
// Made on first real use, collectively, by all ranks of the program's communicator; kept with it as an
// attribute and freed with it. So Rota's messages never meet the program's, and communicators that never
// carry a large collective cost nothing.
#pragma once

#include "rota/hosts.hpp"
#include "rota/types.hpp"
#include "rota_mpi/choices.hpp"
#include "rota_mpi/items.hpp"

namespace rota::mpi {

struct Companion {
  MPI_Comm comm = MPI_COMM_NULL;
  Rank rank = 0;
  Rank ranks = 1;
  std::shared_ptr<const Hosts> hosts;  // none: no two of its ranks share one
  const char* fault = nullptr;         // why there is no communicator, on any rank

  mutable Choices choices{};  // of its calls; MPI allows one collective at a time on a communicator

  Self self() const { return {comm, rank}; }
};

/// The companion of an intra-communicator. The first call for each is collective over it; the others are a
/// look-up. All ranks get the same answer in `hosts` and `fault`. Throws MpiError.
const Companion& companion_of(MPI_Comm comm);

/// What there is to know of a communicator of Rota's own, which the companion takes over; MPI_COMM_NULL: MPI
/// had none to give. Collective over it. Throws MpiError.
Companion companion_around(MPI_Comm own);

}  // namespace rota::mpi
