#include "rota_mpi/way/network.hpp"

#include "rota_mpi/play/pace_probe.hpp"
#include "rota_mpi/play/probe.hpp"

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

}  // namespace

const char* learn_network_for(const Call& call, Companion& among) {
  if (!has_several_hosts(among)) return nullptr;
  const bool needs_pace = among.network.pace == Pace::unknown && depends_on_pace(call, settings());
  const bool needs_times = among.search != Search::over && depends_on_round_times(call, settings());
  if (!needs_pace && !needs_times) return nullptr;
  const char* const fault = among.open();
  if (fault != nullptr) return fault;
  if (needs_pace) learn_pace(among);
  if (needs_times) learn_round_times(call, among);
  return nullptr;
}

}  // namespace rota::mpi
