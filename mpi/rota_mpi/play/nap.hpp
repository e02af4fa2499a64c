// How long a rank that waits may sleep between two looks at its message.
//
//     rounds    |----------|----------|----------|--
//     looks     .          .  .  .  . .  .  .  . .
//                             naps: a sixth of what a round has taken so far
//
// Where ranks outnumber their host's processors, those that look all the time take them from those that have data to pass on.
// One that sleeps is late by half a nap in the mean, a twelfth of a round; where rounds are too short to be divided so, for the
// system makes every sleep some time longer than asked, nobody sleeps.
#pragma once

#include <chrono>
#include <cstdint>

namespace rota::mpi {

using Nanoseconds = std::chrono::nanoseconds;

/// After so many rounds in so long, where the system makes every sleep longer by `slack`; zero: none.
constexpr Nanoseconds nap_after(std::int64_t rounds, Nanoseconds elapsed, Nanoseconds slack) {
  constexpr std::int64_t naps_a_round = 6;
  if (rounds == 0) return Nanoseconds::zero();
  const Nanoseconds nap = elapsed / (rounds * naps_a_round);
  return nap < slack ? Nanoseconds::zero() : nap;
}

}  // namespace rota::mpi
