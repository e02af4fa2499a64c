// A schedule's first rounds with next to nothing in their messages, so that its ranks are connected before anybody looks at the clock:
// MPI libraries connect two processes when first one sends to the other.
#pragma once

#include "rota_mpi/play/under_way.hpp"

namespace rota::mpi {

/// Plays it with messages of one byte. Of every message that it has, the other end is in another rank's
/// execution. Throws MpiError, std::bad_alloc.
void rehearse(const Execution& execution);

}  // namespace rota::mpi
