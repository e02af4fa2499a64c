#include "rota_mpi/way/network.hpp"

#include "rota_mpi/play/pace_probe.hpp"
#include "rota_mpi/play/probe.hpp"
#include "rota_mpi/way/sleep.hpp"

namespace rota::mpi {

namespace {

bool has_several_hosts(const Companion& among) { return among.hosts == nullptr || among.hosts->count() > 1; }

// Measuring moves one part of so many as much as the calls before it have: about so much of their time it takes.
constexpr std::int64_t parts = 16;

void measure(Companion& among) {
  among.search = Search::over;
  if (const auto measured = found_round_times(among)) among.know(*measured);
}

void learn_round_times(const Call& call, Companion& among) {
  if (among.search == Search::not_begun) {
    among.search = Search::first_rank_asked;
    if (among.hears_round_times()) return;
  }
  among.bytes_without += call.bytes;
  if (among.bytes_without > parts * measuring_bytes() && !among.hears_round_times()) measure(among);
}

void learn_pace(Companion& among) {
  const Pace told = among.hears_pace();
  among.know(told == Pace::unknown ? found_pace(among) : told);
}

/// For sleep alone links' pace is found out only when calls have moved so much more than that takes.
void learn_pace_for_sleep(const Call& call, Companion& among) {
  among.bytes_awake += call.bytes;
  if (among.bytes_awake > parts * pace_finding_bytes()) learn_pace(among);
}

}  // namespace

const char* learn_network_for(const Call& call, Companion& among) {
  if (!has_several_hosts(among)) return nullptr;
  const bool is_pace_unknown = among.network.pace == Pace::unknown;
  const bool needs_sizes = among.search != Search::over && sizes_depend_on_pace(call, settings());
  const bool needs_pace = is_pace_unknown && (needs_sizes || depends_on_pace(call, settings()));
  const bool sleeps_by_pace = is_pace_unknown && !needs_pace && does_any_sleep();
  const bool needs_times = among.search != Search::over && depends_on_round_times(call, settings());
  if (!needs_pace && !needs_times && !sleeps_by_pace) return nullptr;
  const char* const fault = among.open();
  if (fault != nullptr) return fault;
  if (needs_pace) learn_pace(among);
  if (sleeps_by_pace) learn_pace_for_sleep(call, among);
  if (needs_times) learn_round_times(call, among);
  return nullptr;
}

}  // namespace rota::mpi
