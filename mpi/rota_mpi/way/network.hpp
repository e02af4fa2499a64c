// The network as a communicator's calls come to know it.
//
//   the first call that depends on it     the first rank tells what it knows: from another communicator over these hosts, or more
//   when 16 times as many bytes have      it is asked once more, and if it knows nothing, all measure: so measuring takes about a sixteenth
//   been moved as measuring moves         of what its calls have taken, and communicators that live shortly never pay for it
#pragma once

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/predict.hpp"

namespace rota::mpi {

/// What rounds take among the companion's ranks; nullptr: they do not know.
inline const RoundTimes* known_to(const Companion& among) {
  return among.round_times ? &*among.round_times : nullptr;
}

/// A call among the companion's ranks is to be decided. The fault if there can be no channel: alike on all
/// ranks. Collective over the companion's ranks where the call depends on the network. Throws MpiError,
/// std::bad_alloc.
const char* learn_network_for(const Call& call, Companion& among);

}  // namespace rota::mpi
