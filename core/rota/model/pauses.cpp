#include "rota/model/pauses.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "rota/matchings/random.hpp"

namespace rota {

namespace {

/// 0 <= u < 1, of so many bits as a double has.
double drawn(std::uint64_t seed, Rank rank, std::uint64_t interval) {
  const std::uint64_t of_rank = Random(seed).next() + static_cast<std::uint64_t>(rank);
  return static_cast<double>(Random(Random(of_rank).next() + interval).next() >> 11U) * 0x1p-53;
}

}  // namespace

Pause RandomPauses::operator()(Rank rank, double time_s) const {
  const auto nth = [&](double interval) {
    const double slack = drawn(seed, rank, static_cast<std::uint64_t>(interval)) * (every_s - pause_s);
    const double begin_s = interval * every_s + slack;
    return Pause{begin_s, begin_s + pause_s};
  };
  const double interval = std::floor(time_s / every_s);
  const Pause now = nth(interval);
  return now.end_s > time_s ? now : nth(interval + 1);
}

void require_valid(const RandomPauses& pauses) {
  const bool is_finite = std::isfinite(pauses.pause_s) && std::isfinite(pauses.every_s);
  if (is_finite && 0 <= pauses.pause_s && pauses.pause_s < pauses.every_s) return;
  throw std::invalid_argument("pauses of " + std::to_string(pauses.pause_s) + " s in every " +
                              std::to_string(pauses.every_s) +
                              " s; give one of 0 s or more, shorter than that");
}

double awake_s(const Pauses& pauses, Rank rank, double from_s) {
  if (!pauses) return from_s;
  const Pause next = pauses(rank, from_s);
  return next.begin_s <= from_s ? next.end_s : from_s;
}

double worked_s(const Pauses& pauses, Rank rank, double from_s, double work_s) {
  if (!pauses) return from_s + work_s;
  for (;;) {
    const Pause next = pauses(rank, from_s);
    if (from_s + work_s <= next.begin_s) return from_s + work_s;
    if (from_s < next.begin_s) work_s -= next.begin_s - from_s;
    from_s = next.end_s;
  }
}

}  // namespace rota
