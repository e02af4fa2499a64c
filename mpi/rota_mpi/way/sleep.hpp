// Whether ranks that outnumber their host's processors sleep by links' pace while they wait, and how long (decide/nap.hpp).
#pragma once

#include "rota_mpi/decide/nap.hpp"
#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// Does any rank of the world? Alike on all of them.
bool does_any_sleep();

/// How long this one does between two looks in a call that blocks; zero: it does not, by
/// pace. For each rank to say: it changes when the rank looks, and no message.
Nanoseconds nap_in(const Prepared& prepared, const Companion& among);

}  // namespace rota::mpi
