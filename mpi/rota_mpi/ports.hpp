// One rank's part of an all-to-many schedule, played by the executor of all schedules.
#pragma once

#include "rota_mpi/companion.hpp"
#include "rota_mpi/mail.hpp"
#include "rota_mpi/part.hpp"

namespace rota::mpi {

/// Plays the part over the ranks of a communicator, and returns when every message has left and arrived.
/// Throws MpiError, std::bad_alloc.
void play(const Part& part, Mail& mail, const Companion& companion);

}  // namespace rota::mpi
