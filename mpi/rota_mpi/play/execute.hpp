// One rank's steps as MPI point-to-point messages, to their end.
#pragma once

#include "rota_mpi/play/under_way.hpp"

namespace rota::mpi {

/// Plays all rounds and returns when every message has left and arrived and is settled. Throws MpiError,
/// std::bad_alloc.
void execute(Execution execution, Store& store);

}  // namespace rota::mpi
