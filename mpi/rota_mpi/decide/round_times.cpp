#include "rota_mpi/decide/round_times.hpp"

#include <algorithm>
#include <cmath>

namespace rota::mpi {

namespace {

constexpr double nanoseconds = 1e9;
constexpr std::size_t most_sizes = (told_numbers - 2) / 2;

/// At `bytes`, on the line through both.
double on_the_line(const RoundTime& below, const RoundTime& above, double bytes) {
  const double part =
      (bytes - static_cast<double>(below.bytes)) / static_cast<double>(above.bytes - below.bytes);
  return below.seconds + part * (above.seconds - below.seconds);
}

/// Beyond the largest of them, on the line through it and one of a quarter of its bytes: of the nearest,
/// times differ too little to tell. Whatever a round takes besides its bytes, larger messages share it; but
/// no more than so much, for the line is of few trials.
constexpr double most_shared = 4;
double beyond(const std::vector<RoundTime>& measured, double bytes) {
  const RoundTime& largest = measured.back();
  const auto quarter = std::ranges::find_if(measured.rbegin(), measured.rend(), [&](const RoundTime& each) {
    return 4 * each.bytes <= largest.bytes && each.seconds < largest.seconds;
  });
  if (quarter == measured.rend()) return bytes * largest.seconds_per_byte();
  return std::max(on_the_line(*quarter, largest, bytes), bytes * largest.seconds_per_byte() / most_shared);
}

}  // namespace

double RoundTimes::seconds(double bytes) const {
  const auto above = std::ranges::find_if(
      measured, [&](const RoundTime& each) { return static_cast<double>(each.bytes) >= bytes; });
  if (above == measured.begin()) return above->seconds;
  if (above == measured.end()) return beyond(measured, bytes);
  return on_the_line(*(above - 1), *above, bytes);
}

std::vector<std::int64_t> told(const std::optional<RoundTimes>& times) {
  std::vector<std::int64_t> numbers(told_numbers, 0);
  if (!times) return numbers;
  const std::size_t sizes = std::min(times->measured.size(), most_sizes);
  numbers[0] = static_cast<std::int64_t>(sizes);
  numbers[1] = times->in_flight;
  for (std::size_t i = 0; i < sizes; ++i) {
    numbers[2 + 2 * i] = times->measured[i].bytes;
    numbers[3 + 2 * i] = std::llround(times->measured[i].seconds * nanoseconds);
  }
  return numbers;
}

std::optional<RoundTimes> heard(const std::vector<std::int64_t>& numbers) {
  if (numbers[0] == 0) return {};
  RoundTimes times{.measured = {}, .in_flight = numbers[1]};
  for (std::size_t i = 0; i < static_cast<std::size_t>(numbers[0]); ++i)
    times.measured.push_back({numbers[2 + 2 * i], static_cast<double>(numbers[3 + 2 * i]) / nanoseconds});
  return times;
}

}  // namespace rota::mpi
