// What rounds take is measured with messages of which sizes, and when: it never takes much of the time that passes.
#include <cmath>
#include <functional>
#include <iostream>
#include <random>

#include "require.hpp"
#include "rota_mpi/decide/measuring.hpp"

namespace {

using namespace rota;
using namespace rota::mpi;

constexpr std::int64_t mebibyte = 1048576;
constexpr double parts = 100;

using RoundSeconds = std::function<double(const Measuring::Trial&)>;

RoundTimes measured_on(const RoundSeconds& round_s) {
  Measuring measuring;
  while (!measuring.is_over()) measuring.know(round_s(measuring.next()), 0);
  return measuring.found();
}

std::int64_t largest(const RoundTimes& times) { return times.measured.back().bytes; }

double seconds_on_wire(const Measuring::Trial& trial, double bytes_per_s) {
  return 5e-5 + static_cast<double>(trial.bytes * trial.in_flight) / bytes_per_s;
}

void sizes_grow_until_they_gain_little() {
  const RoundTimes slow = measured_on([](const auto& trial) { return seconds_on_wire(trial, 2.5e7); });
  require(largest(slow) == 60 * 1024 && slow.in_flight == 1, "of a slow wire");
  require(slow.measured.size() == 3, "each smaller size once");
  for (std::size_t i = 1; i < slow.measured.size(); ++i)
    require(slow.measured[i - 1].bytes < slow.measured[i].bytes, "in order");

  const RoundTimes fast = measured_on([](const auto& trial) { return seconds_on_wire(trial, 1.25e9); });
  require(largest(fast) == 512 * 1024 && fast.in_flight == 1,
          "of a fast wire, which more in flight do not make faster");
}

/// Through memory, say.
void none_is_larger_than_what_goes_that_way() {
  Measuring measuring;
  measuring.keep_to(256 * 1024);
  while (!measuring.is_over()) measuring.know(seconds_on_wire(measuring.next(), 1e10), 0);
  require(largest(measuring.found()) == 256 * 1024, "the largest of these");
  require(measuring.found().most_bytes == 256 * 1024, "and it is known");
}

/// Rounds are as long as it takes to start one, however many are in flight.
void more_are_in_flight_where_that_gains() {
  const RoundTimes times =
      measured_on([](const auto& trial) { return 4e-4 / static_cast<double>(trial.in_flight); });
  require(times.in_flight == 4, "in flight");
  require(times.measured.front().seconds == 1e-4, "of all sizes");
}

void larger_messages_share_what_a_round_takes_besides_its_bytes() {
  const RoundTimes times{.measured = {{1 << 10, 4e-3}, {1 << 17, 4.1e-3}, {1 << 19, 4.4e-3}}, .in_flight = 1};
  require(std::abs(times.seconds(1 << 21) - 5.6e-3) < 1e-9, "on the line");
  require(times.seconds(1e9) > 1e9 * 4.4e-3 / (1 << 19) / 4.1, "but not for ever");
  const RoundTimes one{.measured = {{1 << 10, 4e-3}}, .in_flight = 1};
  require(one.seconds(1 << 11) == 8e-3, "of one size nothing else is known");
}

void nothing_is_measured_for_short_lives() {
  Measuring measuring;
  measuring.begin(0);
  for (int i = 0; i < 32; ++i) {
    require(!measuring.has_moved_enough(), "32 MiB");
    measuring.moved(mebibyte);
  }
  measuring.moved(1);
  require(measuring.has_moved_enough(), "more");
}

void the_first_is_as_long_as_many_meetings() {
  Measuring measuring;
  measuring.begin(0);
  measuring.met(1);
  measuring.met(0.01);
  measuring.met(0.5);
  require(!measuring.has_passed_enough(0.24 * parts - 1e-6), "24 of the shortest");
  require(measuring.has_passed_enough(0.24 * parts + 1e-6), "a 100th");
}

void is_put_off_until_twice_as_much_has_moved() {
  Measuring measuring;
  measuring.begin(0);
  measuring.moved(100 * mebibyte);
  measuring.know(1e-3, 1);
  require(measuring.has_moved_enough() && !measuring.has_passed_enough(3 * parts - 1),
          "a second, and twice that");
  measuring.put_off();
  measuring.moved(100 * mebibyte);
  require(!measuring.has_moved_enough(), "twice as much, not more");
  measuring.moved(1);
  require(measuring.has_moved_enough() && measuring.has_passed_enough(3 * parts), "more, and enough time");
}

/// Calls take what they take, and trials too, some of them a thousand times as long.
void it_takes_little_time(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> call_s(-5, 1);
  std::lognormal_distribution<double> trial_s(-6, 2);
  Measuring measuring;
  double now_s = 0;
  double spent_s = 0;
  int trials = 0;
  measuring.begin(now_s);
  measuring.met(1e-4);
  for (int call = 0; call < 20000 && !measuring.is_over(); ++call) {
    now_s += call_s(random);
    measuring.moved(mebibyte);
    if (!measuring.has_moved_enough()) continue;
    if (!measuring.has_passed_enough(now_s)) {
      measuring.put_off();
      continue;
    }
    require(parts * spent_s <= now_s, "a 100th, but for the latest");
    const double took_s = trial_s(random);
    measuring.know(took_s / 10, took_s);
    now_s += took_s;
    spent_s += took_s;
    ++trials;
  }
  require(trials <= 8, "sizes, and rounds in flight");
}

}  // namespace

int main() try {
  sizes_grow_until_they_gain_little();
  larger_messages_share_what_a_round_takes_besides_its_bytes();
  none_is_larger_than_what_goes_that_way();
  more_are_in_flight_where_that_gains();
  nothing_is_measured_for_short_lives();
  the_first_is_as_long_as_many_meetings();
  is_put_off_until_twice_as_much_has_moved();
  for (std::uint64_t seed = 0; seed < 1000; ++seed) it_takes_little_time(seed);
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
