// Cases that cannot be tried with this MPI.
#pragma once

#include <string>

#include "case.hpp"
#include "communicators.hpp"

namespace rota::check {

/// Why the case is left out; empty if it can be tried. The same on all ranks: collective over MPI_COMM_WORLD.
std::string reason_to_skip(const Case& c, const Communicators& communicators, int provided_threads);

/// Is the native library known to get this case wrong on so many ranks? Then Rota, if it has a schedule for
/// it, is held to MPI's definition instead.
bool is_native_at_fault(const Case& c, int ranks);

}  // namespace rota::check
