// Ranks that know nothing of each other but what they agree on take the same turns: random histories, in which each rank has times of
// its own.
//
//   test_cells [HISTORIES]     2000 without it
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "require.hpp"
#include "rota_mpi/decide/cell.hpp"

namespace {

using namespace rota;
using mpi::Arm;
using mpi::Cell;

/// Of one history: how long calls take by both arms, and how much ranks differ in that.
class Clock {
 public:
  explicit Clock(std::uint64_t seed) : random_(seed) {
    schedule_s_ = std::exp(std::normal_distribution(0.0, 1.5)(random_));
    tail_ = std::uniform_real_distribution(1.05, 6.0)(random_);
    drift_ = std::uniform_real_distribution(0.0, 0.2)(random_);
  }

  std::size_t ranks() { return 2 + random_() % 4; }
  double meetings() { return std::uniform_real_distribution(0.0, 100.0)(random_); }
  std::size_t calls() { return 1 + random_() % 400; }
  bool predicts() { return random_() % 2 == 0; }
  mpi::Prediction prediction() {
    return {.seconds = random_() % 2 == 0 ? prediction_s() : 0,
            .meetings = std::uniform_real_distribution(0.0, 100.0)(random_)};
  }
  double prediction_s() { return schedule_s_ * std::exp(std::normal_distribution(0.0, 0.3)(random_)); }
  bool learns_network() { return random_() % 200 == 0; }
  bool starts_others() { return random_() % 100 == 0; }

  /// Heavy-tailed, on each rank another; the schedule's drift away from the native ones.
  double seconds_of(Arm arm) {
    const double noise = std::pow(1 - std::uniform_real_distribution(0.0, 1.0)(random_), -1 / tail_);
    return noise * (arm == Arm::native ? 1 : schedule_s_);
  }
  void drift() { schedule_s_ *= std::exp(std::normal_distribution(0.0, drift_)(random_)); }

 private:
  std::mt19937_64 random_;
  double schedule_s_;
  double tail_;
  double drift_;
};

void require_alike(const std::vector<Cell>& cells, const std::string& history) {
  const Cell& first = cells.front();
  for (const Cell& cell : cells) {
    require(cell.next() == first.next() && cell.is_paired() == first.is_paired() &&
                cell.is_first_of_schedule() == first.is_first_of_schedule() &&
                cell.is_trial() == first.is_trial() && cell.is_in_pair() == first.is_in_pair() &&
                cell.is_on_earlier() == first.is_on_earlier() && cell.is_known() == first.is_known() &&
                cell.is_over() == first.is_over() && cell.is_decided() == first.is_decided() &&
                cell.incumbent() == first.incumbent(),
            "ranks differ in history " + history);
  }
}

void expect(std::vector<Cell>& cells, const mpi::Prediction& prediction) {
  for (Cell& cell : cells) cell.expect(prediction);
}

/// As ranks agree: number by number, the most of what they say.
void agree(std::vector<Cell>& cells) {
  std::vector<std::int64_t> most = cells.front().taken();
  for (const Cell& cell : cells) {
    const std::vector<std::int64_t> mine = cell.taken();
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], mine[i]);
  }
  for (Cell& cell : cells) cell.agree(most);
}

/// How many of its calls were the schedule's.
std::size_t played(std::uint64_t seed) {
  const std::string history = std::to_string(seed);
  Clock clock(seed);
  const double meetings = clock.meetings();
  std::vector<Cell> cells(clock.ranks(),
                          seed % 2 == 0 ? Cell(meetings) : Cell::beginning_with_trial(meetings));
  const std::size_t calls = clock.calls();
  std::size_t by_schedule = 0;
  for (std::size_t call = 0; call < calls; ++call) {
    if (clock.predicts()) expect(cells, clock.prediction());
    const Arm arm = cells.front().next();
    by_schedule += arm == Arm::schedule ? 1 : 0;
    for (Cell& cell : cells) {
      if (cell.is_paired()) cell.spent(clock.seconds_of(Arm::native) / 100);
      cell.took(clock.seconds_of(arm));
    }
    require_alike(cells, history);
    if (cells.front().is_over()) agree(cells);
    if (clock.learns_network()) {
      const double promised_s = clock.prediction_s();
      std::ranges::for_each(cells, [&](Cell& cell) {
        cell.renew_schedule();
        cell.foresee(promised_s);
      });
    }
    if (clock.starts_others()) std::ranges::for_each(cells, [](Cell& cell) { cell.others_took_place(50); });
    require_alike(cells, history);
    clock.drift();
  }
  return by_schedule;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::uint64_t histories = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  std::size_t by_schedule = 0;
  for (std::uint64_t seed = 0; seed < histories; ++seed) by_schedule += played(seed);
  require(by_schedule > histories, "schedules hardly had a turn");
  std::cout << histories << " histories, in which ranks agreed; " << by_schedule << " calls by schedule\n";
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
