#include "rota_mpi/way/network.hpp"

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

}  // namespace

const char* learn_network_for(const Call& call, Companion& among) {
  if (among.search == Search::over || !depends_on_round_times(call, settings()) || !has_several_hosts(among))
    return nullptr;
  const char* const fault = among.open();
  if (fault != nullptr) return fault;
  if (among.search == Search::not_begun) {
    among.search = Search::first_rank_asked;
    if (among.hears_round_times()) return nullptr;
  }
  among.bytes_without += call.bytes;
  if (among.bytes_without > parts * measuring_bytes() && !among.hears_round_times()) measure(among);
  return nullptr;
}

}  // namespace rota::mpi
