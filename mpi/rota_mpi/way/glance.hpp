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

/// Is this too little data on an intra-communicator to be worth a look? Not where arguments are wrong, and
/// not where try-outs wait for a call that blocks, or somebody wants notes of all calls.
bool is_small(Collective collective, const Amount& amount, MPI_Comm comm);

/// The same between groups, of the data of which all who take part know.
bool is_small_between(Collective collective, std::int64_t bytes);

/// Glances go by the settings in force from now on; before, nothing is small. No collective may be running.
void prepare_glances();

}  // namespace rota::mpi
