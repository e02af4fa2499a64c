// What a round takes on the network at hand, as it was measured with messages of several sizes.
//
//   seconds   .                            between two measured sizes on the line through both; smaller messages than the
//    a round |        .'                   smallest take as long as that; larger ones than the largest are on the line
//            |     .'                      through it and one that is clearly smaller
//            | . '
//            +---------------- bytes       A library that changes its protocol at some size shows here, which no line does.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

/// With messages of `bytes`.
struct RoundTime {
  std::int64_t bytes = 0;
  double seconds = 0;

  double seconds_per_byte() const { return seconds / static_cast<double>(bytes); }
};

struct RoundTimes {
  std::vector<RoundTime> measured;                            // by bytes, of which none is 0; at least one
  Round in_flight = 1;                                        // with which rounds took least
  std::int64_t most_bytes = std::numeric_limits<int>::max();  // messages of more go another way

  /// Of messages with so many bytes in the mean.
  double seconds(double bytes) const;

  double seconds_per_byte(std::int64_t bytes) const {
    return seconds(static_cast<double>(bytes)) / static_cast<double>(bytes);
  }
};

/// The same as integers, always of the same number: how one rank tells another. None: nothing was measured.
constexpr std::size_t told_numbers = 24;
std::vector<std::int64_t> told(const std::optional<RoundTimes>& times);
/// And back.
std::optional<RoundTimes> heard(const std::vector<std::int64_t>& numbers);

}  // namespace rota::mpi
