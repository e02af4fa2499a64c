#include "rota_mpi/settings/settings.hpp"

#include <algorithm>

namespace rota::mpi {

Rank lanes_of(const Settings& settings) {
  return static_cast<Rank>(std::max<std::int64_t>(1, settings.lanes));
}

std::int64_t trace_bytes(const Settings& settings) {
  constexpr std::int64_t by_default = std::int64_t{16} << 20;
  return settings.trace_bytes > 0 ? settings.trace_bytes : by_default;
}

}  // namespace rota::mpi
