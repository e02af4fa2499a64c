// How long a rank that waits may sleep between two looks at its message.
//
//     rounds    |-----------|-----------|-----------|--
//     looks     .           . . . . . . . . . . . . .
//                            naps: a fifth of what a round takes
//
// Where ranks outnumber their host's processors, those that look all the time take them from those that have data to pass on.
// One that sleeps is late by half a nap in the mean, a tenth of a round. The system makes every sleep longer than asked by some
// slack, so where rounds are too short for a fifth of them to be twice that, nobody sleeps.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace rota::mpi {

using Nanoseconds = std::chrono::nanoseconds;

/// What rounds of a schedule take, as one rank sees them end.
class RoundLength {
 public:
  /// Where the system makes every sleep longer by `slack`.
  explicit RoundLength(Nanoseconds slack) : slack_(slack), usual_(naps_a_round * slack) {}

  /// So many more rounds are over, in so long. Each draws what is usual an eighth of the way to itself, and
  /// counts as four times the usual at most: of a rank that comes a second late the next naps must not hear
  /// much, but where every other round takes no time they are to be a share of both.
  void add(std::int64_t rounds, Nanoseconds elapsed) {
    for (std::int64_t i = 0; i < rounds; ++i) {
      const Nanoseconds seen = std::min(elapsed / rounds, 4 * usual_);
      usual_ = std::max(usual_ + (seen - usual_) / 8, naps_a_round * slack_);
    }
  }

  /// How long to ask the system to sleep; zero: not at all.
  Nanoseconds nap() const {
    const Nanoseconds nap = usual_ / naps_a_round;
    return nap < 2 * slack_ ? Nanoseconds::zero() : nap;
  }

 private:
  static constexpr std::int64_t naps_a_round = 5;

  Nanoseconds slack_;
  Nanoseconds usual_;
};

}  // namespace rota::mpi
