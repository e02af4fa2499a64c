#include "rota_mpi/report/written.hpp"

#include <cstdio>
#include <iterator>

namespace rota::mpi {

std::string size_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
  return text;
}

std::string time_text(double seconds) {
  // Of which three digits would be 1000 ms, and 100 s.
  constexpr double nearly_one = 0.9995;
  constexpr double nearly_hundred = 99.95;
  char text[32];
  if (seconds < nearly_one) {
    std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
  } else {
    std::snprintf(text, sizeof text, seconds < nearly_hundred ? "%.3g s" : "%.0f s", seconds);
  }
  return text;
}

}  // namespace rota::mpi
