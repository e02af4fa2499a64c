// What a call of little data asks before it is left to the MPI library, without a look.
//
// The answers stand side by side. A program that has computed meanwhile, or whose ranks share a processor, has left nothing of Rota in
// the processor's caches: each place in memory that a glance touches then takes as long as some hundred instructions.
#pragma once

#include <cstdint>

#include "rota/schedule/schedule.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// So many items of a type.
struct Amount {
  MPI_Count items;
  MPI_Datatype type;
};

/// Is this too little data to be worth a look, whatever else the call is? Not where somebody wants notes of
/// all calls.
bool is_little(Collective collective, std::int64_t bytes);

/// The same on an intra-communicator, where all ranks have this amount. Not where arguments are wrong, and
/// not where try-outs wait for a call that blocks.
bool is_small(Collective collective, const Amount& amount, MPI_Comm comm);

/// From now on glances go by the settings in force. No collective may be running.
void prepare_glances();

}  // namespace rota::mpi
