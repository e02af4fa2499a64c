// One case, tried: natively and by Rota, and what differs.
#pragma once

#include <string>

#include "case.hpp"
#include "communicators.hpp"

namespace rota::check {

/// What is wrong with a case, the same text on all ranks; empty if nothing is. Collective over
/// MPI_COMM_WORLD.
///
/// Natively once and by Rota twice, each on its own copy of the same memory. Rota must return a code of the
/// same class and the same bits wherever MPI defines them, the same bits the second time too, and must not
/// write anywhere else: not into the send buffer, not into gaps of a datatype, not around the buffers. What
/// the native call does there does not count.
std::string fault_of(const Case& c, const Communicators& communicators);

}  // namespace rota::check
