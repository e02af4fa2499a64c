// The network, as a communicator's calls come to know it: nothing is measured before calls depend on it.
//
//                     links' pace                                 what rounds take (where all are on one host, through its memory)
//   asked by          sums whose bits depend on their order;      broadcasts and exchanges
//                     large broadcasts; ranks that may sleep
//                     in schedules, after a while
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

/// A call is a schedule's turn. Where ranks may sleep by links' pace, it is found once such calls have taken
/// much longer: not before, and not for native calls, in which sleep saves nothing. Collective over the
/// companion's ranks, whose channel is open. Throws MpiError, std::bad_alloc.
void learn_pace_for_sleep(const Call& call, Companion& among);

/// The same of a call whose ranks are all on one host: what rounds through memory that they share take. Each
/// communicator finds out for itself, for what others know goes by how many they are; and to have such memory
/// costs some meetings too, so not before it is time to measure.
const char* learn_memory_for(const Call& call, Companion& among);

}  // namespace rota::mpi
