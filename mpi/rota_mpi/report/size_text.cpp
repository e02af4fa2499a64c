#include "rota_mpi/report/size_text.hpp"

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

}  // namespace rota::mpi
