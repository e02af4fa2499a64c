// Numbers whose sums are exact in any order, and tell who contributed to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rota::bench {

/// What the numbers of a rank are multiplied by: a binary digit of its own up to 32 ranks. Times 1021 and
/// summed over fewer than 2^16 ranks it stays below 2^53, up to which doubles are exact.
constexpr double weight_of_rank(int rank) { return static_cast<double>(std::uint32_t{1} << (rank % 32)); }

/// The sum of the weights of the ranks below `ranks`.
constexpr double weight_below(int ranks) {
  double sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += weight_of_rank(rank);
  return sum;
}

/// The number at `position` of the data, before a rank's weight. Never 0; 1021 is prime, so that a block that
/// has gone to another place shows.
constexpr double number_at(std::size_t position) { return static_cast<double>(position % 1021 + 1); }

inline std::vector<double> numbers(std::size_t count, double weight) {
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = weight * number_at(i);
  return result;
}

inline bool holds(std::span<const double> data, std::size_t start, double weight) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != weight * number_at(start + i)) return false;
  }
  return true;
}

}  // namespace rota::bench
