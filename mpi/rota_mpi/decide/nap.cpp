#include "rota_mpi/decide/nap.hpp"

#include <algorithm>

namespace rota::mpi {

namespace {

constexpr double part_of_round = 1.0 / 3;

// What passes during a nap must lie in sockets' buffers meanwhile, which begin with 128 KiB.
constexpr double most_bytes = 65536;

constexpr int slacks = 2;

}  // namespace

Nanoseconds nap_of(double port_bytes, Round rounds, Pace pace, Nanoseconds slack) {
  if (rounds < 1) return Nanoseconds::zero();
  const double bytes = std::min(most_bytes, part_of_round * port_bytes / static_cast<double>(rounds));
  const std::chrono::duration<double> least(bytes * least_seconds_per_byte(pace));
  const auto nap = std::chrono::duration_cast<Nanoseconds>(least);
  return nap < slacks * slack ? Nanoseconds::zero() : nap;
}

}  // namespace rota::mpi
