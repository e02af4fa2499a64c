// The network as calls come to know it: found out by the first one whose choice depends on it.
#pragma once

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/predict.hpp"

namespace rota::mpi {

/// What rounds take among the companion's ranks; nullptr: nobody knows.
inline const RoundTimes* known_to(const Companion& among) {
  return among.round_times ? &*among.round_times : nullptr;
}

/// Does the call's choice depend on a network that nobody has looked at yet? Alike on all ranks; `call` has
/// its hosts.
bool has_network_to_find(const Call& call, const Companion& among);

/// Opens the companion's channel and looks at the network, unless opening has told. The fault if there can be
/// no channel: alike on all ranks. Collective over the companion's ranks. Throws MpiError, std::bad_alloc.
const char* find_network(Companion& among);

}  // namespace rota::mpi
