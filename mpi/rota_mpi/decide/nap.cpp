#include "rota_mpi/decide/nap.hpp"

#include <algorithm>

namespace rota::mpi {

namespace {

constexpr double part_of_round = 1.0 / 3;

// What passes during a nap must lie in sockets' buffers meanwhile, which begin with 128 KiB.
constexpr double most_bytes = 65536;

constexpr int slacks = 2;

// Between 5 and 40 us it makes no difference; naps of 1 us, which are over before a system has put the thread to sleep, take most of
// the processor (docs/performance.md). Of longer ones messages would take note.
constexpr Nanoseconds shortest = std::chrono::microseconds(20);
constexpr Nanoseconds longest = std::chrono::microseconds(200);

}  // namespace

Nanoseconds nap_among_others(Rank ranks_a_processor) {
  return std::min(longest, shortest * ranks_a_processor);
}

Nanoseconds nap_of(double port_bytes, Round rounds, Pace pace, Nanoseconds slack) {
  if (rounds < 1) return Nanoseconds::zero();
  const double bytes = std::min(most_bytes, part_of_round * port_bytes / static_cast<double>(rounds));
  const std::chrono::duration<double> least(bytes * least_seconds_per_byte(pace));
  const auto nap = std::chrono::duration_cast<Nanoseconds>(least);
  return nap < slacks * slack ? Nanoseconds::zero() : nap;
}

}  // namespace rota::mpi
