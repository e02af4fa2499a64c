#include "schedules_timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "measured.hpp"
#include "rota/circulant/circulant.hpp"
#include "rota/circulant/circulant_all_ranks.hpp"
#include "schedules_older.hpp"
#include "schedules_straightforward.hpp"

namespace rota::bench {
namespace {

using circulant::AllSchedules;
using circulant::Skips;

// The ways whose results are read return the sum of all blocks, which shows that they did the same work.

std::int64_t sum_straightforward(Rank p) {
  const straightforward::Schedule schedule(p);
  std::int64_t sum = 0;
  for (Rank r = 0; r < p; ++r) {
    const straightforward::Schedules both = schedule.of(r);
    for (std::size_t k = 0; k < static_cast<std::size_t>(schedule.rounds()); ++k)
      sum += both.receive[k] + both.send[k];
  }
  return sum;
}

std::int64_t sum_one_by_one(const Skips& skips) {
  std::int64_t sum = 0;
  for (Rank r = 0; r < skips.ranks(); ++r) {
    const circulant::Schedule receive = receive_schedule(skips, r);
    const circulant::Schedule send = send_schedule(skips, r);
    for (int k = 0; k < skips.q; ++k) sum += receive[k] + send[k];
  }
  return sum;
}

std::int64_t sum_all(const Skips& skips) {
  const AllSchedules all(skips);
  std::int64_t sum = 0;
  for (std::size_t r = 0; r < all.baseblocks().size(); ++r) {
    for (int k = 0; k < skips.q; ++k) sum += all.receive(k)[r] + all.send(k)[r];
  }
  return sum;
}

std::int64_t compute_all(const Skips& skips) { return AllSchedules(skips).baseblocks().back(); }

std::int64_t write_all(const Skips& skips) {
  const AllSchedules all(skips);
  const std::size_t p = all.baseblocks().size();
  const auto send = std::make_unique_for_overwrite<std::int8_t[]>(p * static_cast<std::size_t>(skips.q));
  for (int k = 0; k < skips.q; ++k)
    std::ranges::copy(all.send(k), send.get() + static_cast<std::size_t>(k) * p);
  return send[p - 1];
}

/// The sum of all blocks of `count` ranks of p, evenly spread, whose schedules schedules_of(rank) says.
template <class SchedulesOf>
std::int64_t sum_of_some(Rank p, Rank count, int q, const SchedulesOf& schedules_of) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto both = schedules_of(static_cast<Rank>(i * p / count));
    for (std::size_t k = 0; k < static_cast<std::size_t>(q); ++k)
      sum += static_cast<std::int64_t>(k + 1) * (both.receive[k] + 32 * both.send[k]);
  }
  return sum;
}

/// Both of one rank's, as the straightforward ones are.
straightforward::Schedules by_rota(const Skips& skips, Rank rank) {
  const circulant::Schedule receive = receive_schedule(skips, rank);
  const circulant::Schedule send = send_schedule(skips, rank);
  straightforward::Schedules both{};
  std::ranges::copy(receive, both.receive.begin());
  std::ranges::copy(send, both.send.begin());
  return both;
}

}  // namespace

ConstructionTimes time_constructions(Rank p, Rank at_most) {
  if (p < 2) throw std::invalid_argument(std::to_string(p) + " ranks need no schedule: give at least 2");
  if (at_most < 1) throw std::invalid_argument("no ranks to time: give at least 1");
  const Rank count = std::min(p, at_most);
  const Skips skips = circulant::skips(p);
  const auto sum = [&](const auto& of) { return sum_of_some(p, count, skips.q, of); };
  const older::Schedule older(p);
  const straightforward::Schedule printed(p);
  const Measured by_older = measured([&] { return sum([&](Rank r) { return older.of(r); }); });
  const Measured as_printed = measured([&] { return sum([&](Rank r) { return printed.of(r); }); });
  const Measured ours = measured([&] { return sum([&](Rank r) { return by_rota(skips, r); }); });
  if (by_older.result != as_printed.result || ours.result != as_printed.result) {
    throw std::logic_error("the schedules for " + std::to_string(p) +
                           " ranks differ: run rota verify circulant");
  }
  return {.ranks = p,
          .ranks_timed = count,
          .older_s = by_older.seconds,
          .printed_s = as_printed.seconds,
          .rota_s = ours.seconds};
}

ScheduleTimes time_schedules(Rank p) {
  if (p < 2) throw std::invalid_argument(std::to_string(p) + " ranks need no schedule: give at least 2");
  const Skips skips = circulant::skips(p);
  const Measured straightforward = measured([&] { return sum_straightforward(p); });
  const Measured one_by_one = measured([&] { return sum_one_by_one(skips); });
  const Measured computed = measured([&] { return compute_all(skips); });
  const Measured written = measured([&] { return write_all(skips); });
  const Measured read = measured([&] { return sum_all(skips); });
  if (one_by_one.result != straightforward.result || read.result != straightforward.result) {
    throw std::logic_error("the schedules for " + std::to_string(p) +
                           " ranks differ: run rota verify circulant");
  }
  return {.ranks = p,
          .straightforward_s = straightforward.seconds,
          .one_by_one_s = one_by_one.seconds,
          .all_s = computed.seconds,
          .all_written_s = written.seconds,
          .all_read_s = read.seconds};
}

}  // namespace rota::bench
