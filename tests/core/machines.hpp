// What both tests of schedules as the executor plays them run on. Latencies and seconds per byte are powers of two, so that sums are
// exact and times can be compared with ==.
#pragma once

#include <cstdint>

#include "rota/model/in_flight.hpp"

namespace rota {

inline constexpr Network network{.latency_s = 0x1p-10, .seconds_per_byte = 0x1p-20};

/// Messages of any size wait for their receiver, and for nothing else.
inline Machines asked_for() {
  Machines machines{network};
  machines.rendezvous_from = 0;
  return machines;
}

}  // namespace rota
