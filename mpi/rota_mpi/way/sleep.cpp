#include "rota_mpi/way/sleep.hpp"

#include <sys/prctl.h>

#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

/// Naps follow what is found of the network at run time.
bool may_follow_network() { return settings().adapt != Adapt::off; }

}  // namespace

bool does_any_sleep() {
  const World* const here = world();
  return here != nullptr && here->has_crowded_hosts && may_follow_network();
}

Nanoseconds nap_in(const Prepared& prepared, const Companion& among) {
  if (!does_any_sleep() || !world()->is_crowded) return Nanoseconds::zero();
  const double port_bytes = port_bytes_of(prepared.note, load_of(prepared.note.call));
  return nap_of(port_bytes, prepared.rounds, among.network.pace, Nanoseconds(prctl(PR_GET_TIMERSLACK)));
}

}  // namespace rota::mpi
