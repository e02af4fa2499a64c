// The network, as a communicator's calls come to know it: nothing is measured before calls depend on it.
//
//                     links' pace                                 what rounds take
//   asked by          sums whose bits depend on their order;      broadcasts and exchanges
//                     large broadcasts; ranks that may sleep,
//                     after a while
//   the first call    the first rank tells what it knows: from another communicator over these hosts, or more
//   found             at that call: some messages between two     a size of messages after the other, at calls between which many more
//                     hosts                                       bytes have moved, and much more time has passed, than that takes
#pragma once

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/choose.hpp"

namespace rota::mpi {

/// A call among the companion's ranks is to be decided: what it depends on is found, or not yet. The fault if
/// there can be no channel: alike on all ranks. Collective over the companion's ranks where the call depends
/// on the network. Throws MpiError, std::bad_alloc.
const char* learn_network_for(const Call& call, Companion& among);

}  // namespace rota::mpi
