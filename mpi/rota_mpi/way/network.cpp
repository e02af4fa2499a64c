#include "rota_mpi/way/network.hpp"

#include <algorithm>

#include "rota_mpi/play/pace_probe.hpp"
#include "rota_mpi/play/probe.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/sleep.hpp"

namespace rota::mpi {

namespace {

/// Memory and meetings for it take their time too, which counts; as what the first rank's clock says does.
void measure(Companion& among) {
  Measuring& measuring = among.measuring;
  const double start_s = pmpi.Wtime();
  const auto tried = tried_rounds(measuring.next(), among);
  if (!tried) return measuring.end();
  measuring.know(tried->round_s, std::max(tried->all_s, pmpi.Wtime() - start_s));
  if (measuring.is_over()) among.know(measuring.found());
}

/// What that takes says what the first measuring will.
void meet(Companion& among) {
  const double start_s = pmpi.Wtime();
  among.most(0);
  among.measuring.met(pmpi.Wtime() - start_s);
}

/// Each has a clock of its own; the first rank's counts.
bool is_so_by_first(const Companion& among, bool is_so_here) {
  return among.told_by_first(is_so_here ? 1 : 0) == 1;
}

/// Has enough time passed for the next size?
bool is_time_to_measure(Companion& among) {
  Measuring& measuring = among.measuring;
  if (measuring.found().measured.empty()) meet(among);
  const bool is_time = is_so_by_first(among, measuring.has_passed_enough(pmpi.Wtime()));
  if (!is_time) measuring.put_off();
  return is_time;
}

void learn_round_times(const Call& call, Companion& among) {
  Measuring& measuring = among.measuring;
  if (!measuring.has_begun()) {
    measuring.begin(pmpi.Wtime());
    if (among.hears_round_times()) return;
  }
  measuring.moved(call.bytes);
  if (!measuring.has_moved_enough() || among.hears_round_times()) return;
  if (is_time_to_measure(among)) measure(among);
}

void learn_pace(Companion& among) {
  const Pace told = among.hears_pace();
  among.know(told == Pace::unknown ? found_pace(among) : told);
}

// To find it out for sleep alone takes about so much of the time of the calls before, of which sleep saves as much.
constexpr int parts = 8;

}  // namespace

const char* learn_network_for(const Call& call, Companion& among) {
  if (are_on_one(among.hosts.get())) return nullptr;
  const bool is_pace_unknown = among.network.pace == Pace::unknown;
  const bool needs_times = !among.measuring.is_over() && depends_on_round_times(call, settings());
  const bool needs_pace =
      is_pace_unknown && (depends_on_pace(call, settings()) || (needs_times && is_large_broadcast(call)));
  if (!needs_pace && !needs_times) return nullptr;
  // Before ranks wait for each other here: one of them may wait for what was started on all.
  const char* const fault = among.open();
  if (fault != nullptr) return fault;
  if (needs_pace) learn_pace(among);
  if (needs_times) learn_round_times(call, among);
  return nullptr;
}

void learn_pace_for_sleep(const Call& call, Companion& among) {
  const bool is_of_use =
      among.network.pace == Pace::unknown && does_any_sleep() && !are_on_one(among.hosts.get());
  if (!is_of_use) return;
  Patience& awake = among.awake;
  if (!awake.has_begun()) awake.begin(pmpi.Wtime());
  awake.moved(call.bytes);
  const auto [bytes, seconds] = pace_finding();
  if (!awake.have_moved(parts * bytes)) return;
  if (is_so_by_first(among, awake.passed_s(pmpi.Wtime()) > parts * seconds)) {
    learn_pace(among);
  } else {
    awake.put_off();
  }
}

const char* learn_memory_for(const Call& call, Companion& among) {
  Measuring& measuring = among.measuring;
  if (measuring.is_over() || !settings().shares_memory || !depends_on_memory_times(call, settings()))
    return nullptr;
  if (!measuring.has_begun()) {
    measuring.begin(pmpi.Wtime());
    measuring.keep_to(Boxes::largest);
  }
  measuring.moved(call.bytes);
  if (!measuring.has_moved_enough()) return nullptr;
  among.queue().wait();
  if (!is_time_to_measure(among)) return nullptr;
  const double start_s = pmpi.Wtime();
  const char* const fault = among.open();
  if (fault != nullptr) return fault;
  measuring.spent(pmpi.Wtime() - start_s);
  if (among.network.is_one_memory) {
    measure(among);
  } else {
    measuring.end();
  }
  return nullptr;
}

}  // namespace rota::mpi
