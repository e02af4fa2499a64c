#include "rota_mpi/decide/measuring.hpp"

#include <algorithm>

namespace rota::mpi {

namespace {

constexpr Round most_in_flight = 4;

// A larger size, or more rounds in flight, must gain so much.
constexpr double gain = 0.9;

// Of bytes and of time: no more than trials may cost (cell.hpp).
constexpr std::int64_t byte_parts = 8;
constexpr double time_parts = 100;

// Two broadcasts in blocks + q - 1 rounds, of two messages each, where to meet is q messages, and q = 2 at the least; and two times three
// reductions.
constexpr double meetings_of_first = 3 * Measuring::blocks;

// A size is about twice the one before.
constexpr double growth = 2;

std::int64_t bytes_of(const Measuring::Trial& trial) {
  constexpr std::int64_t times = 2;
  return times * Measuring::blocks * trial.bytes;
}

}  // namespace

bool Measuring::has_moved_enough() const {
  return patience_.have_moved(byte_parts * (spent_bytes_ + bytes_of(next_)));
}

bool Measuring::has_passed_enough(double now_s) const {
  return time_parts * (spent_s_ + next_s()) <= patience_.passed_s(now_s);
}

/// What the next size will take, if nothing goes wrong.
double Measuring::next_s() const {
  return found_.measured.empty() ? meetings_of_first * meeting_s_ : growth * latest_s_;
}

void Measuring::know(double round_s, double all_s) {
  latest_s_ = all_s;
  spent_s_ += all_s;
  spent_bytes_ += bytes_of(next_);
  const RoundTime time{next_.bytes, round_s};
  if (next_.in_flight == 1) {
    know_size(time);
  } else {
    know_in_flight(time);
  }
}

void Measuring::know_size(const RoundTime& time) {
  const bool is_first = found_.measured.empty();
  const bool gains = is_first || time.seconds_per_byte() < gain * best_.seconds_per_byte();
  if (is_first || time.seconds_per_byte() < best_.seconds_per_byte()) best_ = time;
  found_.measured.push_back(time);
  const auto* const larger = std::ranges::upper_bound(sizes, time.bytes);
  const bool is_largest = larger == sizes.end() || *larger > found_.most_bytes;
  if (is_largest || (!gains && time.seconds > long_s)) {
    follow_in_flight();
  } else {
    next_ = Trial{*larger, 1};
  }
}

void Measuring::know_in_flight(const RoundTime& time) {
  if (time.seconds >= gain * best_.seconds) return end();
  for (RoundTime& each : found_.measured) each.seconds *= time.seconds / best_.seconds;
  best_ = time;
  found_.in_flight = next_.in_flight;
  follow_in_flight();
}

/// Long rounds are the wire's, of which more at once take as much longer.
void Measuring::follow_in_flight() {
  const Round more = 2 * found_.in_flight;
  if (best_.seconds > long_s || more > most_in_flight) return end();
  next_ = Trial{best_.bytes, more};
}

}  // namespace rota::mpi
