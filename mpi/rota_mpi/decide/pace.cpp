#include "rota_mpi/decide/pace.hpp"

#include <algorithm>
#include <cmath>

namespace rota::mpi {

namespace {

constexpr double slow_bits_per_s = 1e8;
constexpr double medium_bits_per_s = 1e9;
constexpr double fast_bits_per_s = 1e10;

// What half of the messages may take beyond the fastest one's time where it is links that are slow.
constexpr double steady = 1.5;

/// Between the rates of both, in bytes.
double border(double slower_bits_per_s, double faster_bits_per_s) {
  constexpr double bits = 8;
  return std::sqrt(slower_bits_per_s * faster_bits_per_s) / bits;
}

/// Did a link that carried a message of so many bytes in such a time belong to the faster of both?
bool is_beyond(double slower_bits_per_s, double faster_bits_per_s, std::int64_t bytes, double seconds) {
  return static_cast<double>(bytes) > border(slower_bits_per_s, faster_bits_per_s) * seconds;
}

}  // namespace

bool is_fast(std::int64_t bytes, double seconds) {
  return is_beyond(medium_bits_per_s, fast_bits_per_s, bytes, seconds);
}

Pace pace_of(std::int64_t bytes, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const double least = seconds.front();
  const double median = seconds[seconds.size() / 2];
  if (is_fast(bytes, least) || median > steady * least) return Pace::fast;
  return is_beyond(slow_bits_per_s, medium_bits_per_s, bytes, least) ? Pace::medium : Pace::slow;
}

double least_seconds_per_byte(Pace pace) {
  switch (pace) {
    case Pace::slow:
      return 1 / border(slow_bits_per_s, medium_bits_per_s);
    case Pace::medium:
      return 1 / border(medium_bits_per_s, fast_bits_per_s);
    default:
      return 0;
  }
}

const char* name_of(Pace pace) {
  switch (pace) {
    case Pace::slow:
      return "slow";
    case Pace::medium:
      return "medium";
    case Pace::fast:
      return "fast";
    default:
      return "unknown";
  }
}

}  // namespace rota::mpi
