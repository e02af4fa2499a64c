// What was measured of a platform, as Python has it.
#pragma once

#include <cstdint>
#include <string>

#include "rota_mpi/settings/profile.hpp"

namespace rota {

/// A measurement with its names in place of positions.
struct Measured {
  std::string collective;
  std::int64_t bytes;
  double native_s;
  double rota_s;
  std::string algorithm;
  double message_bytes;
};

Measured named(const mpi::Measurement& each, Collective collective);

}  // namespace rota
