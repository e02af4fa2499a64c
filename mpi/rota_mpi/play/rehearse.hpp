// A schedule's first rounds with next to nothing in their messages, so that its ranks are connected before anybody looks at the clock:
// MPI libraries connect two processes when first one sends to the other.
#pragma once

#include "rota_mpi/play/under_way.hpp"

namespace rota::mpi {

/// Plays no more rounds than there are ranks, with messages of one byte. All ranks do, in the same call.
/// Throws MpiError, std::bad_alloc.
void rehearse(Execution execution, Rank ranks);

}  // namespace rota::mpi
