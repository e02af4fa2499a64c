#include "rota_mpi/decide/pace.hpp"

#include <algorithm>
#include <cmath>

namespace rota::mpi {

namespace {

constexpr double slower_bits_per_s = 1e9;
constexpr double faster_bits_per_s = 1e10;

// What half of the messages may take beyond the fastest one's time where it is links that are slow.
constexpr double steady = 1.5;

}  // namespace

bool is_fast(std::int64_t bytes, double seconds) {
  constexpr double bits = 8;
  return bits * static_cast<double>(bytes) > std::sqrt(slower_bits_per_s * faster_bits_per_s) * seconds;
}

Pace pace_of(std::int64_t bytes, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const double least = seconds.front();
  const double median = seconds[seconds.size() / 2];
  return is_fast(bytes, least) || median > steady * least ? Pace::fast : Pace::slow;
}

const char* name_of(Pace pace) {
  if (pace == Pace::unknown) return "unknown";
  return pace == Pace::slow ? "slow" : "fast";
}

}  // namespace rota::mpi
