#include "rota_mpi/way/network.hpp"

#include "rota_mpi/play/probe.hpp"

namespace rota::mpi {

bool has_network_to_find(const Call& call, const Companion& among) {
  return among.measures_round_times && depends_on_round_times(call, settings());
}

const char* find_network(Companion& among) {
  const char* const fault = among.open();
  if (fault != nullptr || !among.measures_round_times) return fault;
  among.measures_round_times = false;
  if (const auto measured = found_round_times(among)) among.know(*measured);
  return nullptr;
}

}  // namespace rota::mpi
