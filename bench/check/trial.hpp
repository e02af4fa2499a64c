// One case, tried: natively and by Rota, and what differs.
#pragma once

#include <cstdint>
#include <string>

#include "case.hpp"
#include "communicators.hpp"

namespace rota::check {

/// Who is at fault.
enum class Side : std::uint8_t { none, native, rota };

struct Fault {
  std::string text;
  Side side = Side::none;
};

/// What is wrong with a case, the same on all ranks. Collective over MPI_COMM_WORLD.
///
/// Natively once and by Rota twice, each on its own copy of the same memory. Rota must return a code of the
/// same class and the same bits wherever MPI defines them, the same bits the second time too, and must not
/// write anywhere else: not into the send buffer, not into gaps of a datatype, not around the buffers. What
/// the native call does there does not count. Where the native result is not what MPI defines, that is the
/// native library's fault, and Rota is held to the definition.
Fault fault_of(const Case& c, const Communicators& communicators);

/// Calls the native library as fault_of does, and nothing of Rota's: does that come to an end?
void call_natively(const Case& c, const Communicators& communicators);

}  // namespace rota::check
