// One rank's part of an all-to-many schedule, played by the executor of all schedules.
#pragma once

#include "rota_mpi/calls/exchanging/mail.hpp"
#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/part.hpp"

namespace rota::mpi {

/// Plays the part over the ranks of a communicator, and returns when every message has left and arrived.
/// Throws MpiError, std::bad_alloc.
void play(const Part& part, Mail& mail, const Companion& companion);

}  // namespace rota::mpi
