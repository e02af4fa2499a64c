// Looks at irregular calls: ranks, whose clocks differ, agree on which calls are looked at; looks take a hundredth of the time; large calls
// are found soon.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

#include "require.hpp"
#include "rota_mpi/decide/looks.hpp"

namespace {

using namespace rota;
using mpi::Looks;

/// Ranks on one communicator. Those that are late make the others wait in looks.
class Job {
 public:
  explicit Job(std::uint64_t seed) : random_(seed), looks_(2 + random_() % 6), clocks_(looks_.size()) {
    for (double& clock : clocks_) clock = uniform(0.0, 1000.0);
  }

  /// A call that takes so long; is it looked at? If it is, that takes `look_s` from when the last rank is
  /// there, and if it is small, a plan is sought for so long, for nothing.
  bool call(double call_s, double look_s, bool is_large, double plan_s = 0) {
    const bool skips = looks_.front().skips();
    for (std::size_t rank = 1; rank < looks_.size(); ++rank)
      require(looks_[rank].skips() == skips, "ranks differ");
    if (!skips) look(look_s, is_large, plan_s);
    for (double& clock : clocks_) clock += call_s;
    others_s_ += call_s;
    return !skips;
  }

  double looks_s() const { return looks_s_; }
  double others_s() const { return others_s_; }

 private:
  double uniform(double least, double most) { return std::uniform_real_distribution(least, most)(random_); }

  void look(double look_s, bool is_large, double plan_s) {
    const std::size_t last = random_() % looks_.size();
    const double late_s = uniform(0.0, 50 * look_s);
    std::int64_t agreed = Looks::most_skips;
    for (std::size_t rank = 0; rank < looks_.size(); ++rank) {
      agreed = std::min(agreed, looks_[rank].begin(clocks_[rank] + (rank == last ? late_s : 0),
                                                   static_cast<Rank>(looks_.size())));
      clocks_[rank] += late_s + look_s;
    }
    for (std::size_t rank = 0; rank < looks_.size(); ++rank) {
      looks_[rank].end(clocks_[rank], agreed);
      if (is_large) continue;
      looks_[rank].spent(plan_s);
      looks_[rank].in_vain();
      clocks_[rank] += plan_s;
    }
    looks_s_ += is_large ? look_s : look_s + plan_s;
    others_s_ += late_s;
  }

  std::mt19937_64 random_;
  std::vector<Looks> looks_;
  std::vector<double> clocks_;  // each from a beginning of its own
  double looks_s_ = 0;
  double others_s_ = 0;  // in calls, and until the last rank is there
};

void test_looks_at_small_calls_are_cheap() {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Job job(seed);
    const double look_s = seed % 2 == 0 ? 1 : 0.01;
    const int calls = 20000;
    for (int i = 0; i < calls; ++i) job.call(1, look_s, false);
    require(job.looks_s() <= 0.011 * job.others_s() + 3 * look_s, "looks take too long");
  }
}

void test_plans_that_come_to_nothing_are_cheap() {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Job job(seed);
    const double plan_s = seed % 2 == 0 ? 2 : 0.5;
    for (int i = 0; i < 20000; ++i) job.call(1, 0.01, false, plan_s);
    require(job.looks_s() <= 0.011 * job.others_s() + 3 * plan_s, "plans take too long");
  }
}

void test_few_calls_are_hardly_looked_at() {
  Job job(1);
  int looks = 0;
  for (int i = 0; i < 50; ++i) looks += job.call(1, 1, false) ? 1 : 0;
  require(looks == 2, "fifty calls as short as a look have two");
}

void test_large_calls_are_all_looked_at() {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Job job(seed);
    for (int i = 0; i < 1000; ++i) job.call(1, 1, false);
    int unseen = 0;
    while (!job.call(1000, 1, true)) ++unseen;
    require(unseen <= Looks::most_skips, "large calls are found too late");
    for (int i = 0; i < 100; ++i) require(job.call(1000, 1, true), "a large call is not looked at");
  }
}

void test_long_calls_that_stay_native_are_looked_at_often() {
  Job job(1);
  for (int i = 0; i <= Looks::first_skips; ++i) job.call(1000, 1, false);
  int looks = 0;
  for (int i = 0; i < 100; ++i) looks += job.call(1000, 1, false) ? 1 : 0;
  require(looks >= 45, "a look costs nothing there");
}

}  // namespace

int main() try {
  test_looks_at_small_calls_are_cheap();
  test_plans_that_come_to_nothing_are_cheap();
  test_few_calls_are_hardly_looked_at();
  test_large_calls_are_all_looked_at();
  test_long_calls_that_stay_native_are_looked_at_often();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
