#include "rota_mpi/way/network.hpp"

#include "rota_mpi/play/pace_probe.hpp"
#include "rota_mpi/play/probe.hpp"
#include "rota_mpi/play/waiting.hpp"
#include "rota_mpi/way/sleep.hpp"

namespace rota::mpi {

namespace {

bool has_several_hosts(const Companion& among) { return among.hosts == nullptr || among.hosts->count() > 1; }

void measure(Companion& among) {
  Measuring& measuring = among.measuring;
  const auto tried = tried_rounds(measuring.next(), among);
  if (!tried) return measuring.end();
  measuring.know(tried->round_s, tried->all_s);
  if (measuring.is_over()) among.know(measuring.found());
}

/// By the first rank's clock.
bool has_passed_enough(const Companion& among) {
  return among.told_by_first(among.measuring.has_passed_enough(pmpi.Wtime()) ? 1 : 0) == 1;
}

void learn_round_times(const Call& call, Companion& among) {
  Measuring& measuring = among.measuring;
  if (!measuring.has_begun()) {
    measuring.begin(pmpi.Wtime());
    if (among.hears_round_times()) return;
  }
  measuring.moved(call.bytes);
  if (!measuring.has_moved_enough() || among.hears_round_times()) return;
  if (has_passed_enough(among)) {
    measure(among);
  } else {
    measuring.put_off();
  }
}

void learn_pace(Companion& among) {
  const Pace told = among.hears_pace();
  among.know(told == Pace::unknown ? found_pace(among) : told);
}

// Where each rank has a processor it waits for one in less than a hundredth of the time that it could run, and where not in
// a twentieth or more (docs/performance.md).
constexpr double little_waiting = 0.02;

/// If any of the ranks waits, all wait for it.
void learn_processors(Companion& among) {
  const bool waits = among.most(waiting_part() > little_waiting ? 1 : 0) > 0;
  among.know(waits ? Processors::scarce : Processors::enough);
}

/// Where a call's messages depend on it.
bool are_processors_scarce(const Call& call, Companion& among) {
  if (!sizes_depend_on_processors(call, settings())) return false;
  if (among.network.processors == Processors::unknown) learn_processors(among);
  return among.network.processors == Processors::scarce;
}

bool do_chunks_need_processors(const Call& call, const Companion& among) {
  return among.network.processors == Processors::unknown && goes_in_chunks(call, settings(), among.network);
}

// To find it out for sleep alone takes about so much of the time of the calls before.
constexpr std::int64_t parts = 16;

void learn_pace_for_sleep(const Call& call, Companion& among) {
  among.bytes_awake += call.bytes;
  if (among.bytes_awake > parts * pace_finding_bytes()) learn_pace(among);
}

}  // namespace

const char* learn_network_for(const Call& call, Companion& among) {
  if (!has_several_hosts(among)) return nullptr;
  const bool is_pace_unknown = among.network.pace == Pace::unknown;
  const bool needs_pace = is_pace_unknown && depends_on_pace(call, settings());
  const bool sleeps_by_pace = is_pace_unknown && does_any_sleep();
  const bool needs_times = !among.measuring.is_over() && depends_on_round_times(call, settings());
  if (!needs_pace && !needs_times && !sleeps_by_pace && !do_chunks_need_processors(call, among))
    return nullptr;
  // Before ranks wait for each other here: one of them may wait for what was started on all.
  const char* const fault = among.open();
  if (fault != nullptr) return fault;
  const bool are_scarce = needs_times && are_processors_scarce(call, among);
  if (needs_pace || (is_pace_unknown && are_scarce)) {
    learn_pace(among);
  } else if (sleeps_by_pace) {
    learn_pace_for_sleep(call, among);
  }
  // On fast links, which may be known by now.
  if (do_chunks_need_processors(call, among)) learn_processors(among);
  if (needs_times) learn_round_times(call, among);
  return nullptr;
}

}  // namespace rota::mpi
