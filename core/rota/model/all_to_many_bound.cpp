#include "rota/model/all_to_many_bound.hpp"

#include <algorithm>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

namespace {

/// Whose ports a rank's messages pass: its host's, if ranks share hosts.
std::size_t port_of(const Problem& problem, Rank rank) {
  const auto r = static_cast<std::size_t>(rank);
  return problem.hosts ? static_cast<std::size_t>(problem.hosts->of_rank[r]) : r;
}

/// Until the last parcel is through, if one of b bytes takes cost(b); within a host nothing.
template <class Time, class Cost>
Time played(const Schedule& schedule, const Cost& cost) {
  const Problem& problem = schedule.problem;
  std::vector<Time> sender_free(static_cast<std::size_t>(problem.ranks));
  std::vector<Time> receiver_free(sender_free.size());
  Time last{};
  for (const TimedParcel& each : listed(schedule)) {
    const std::size_t from = port_of(problem, each.from);
    const std::size_t to = port_of(problem, each.parcel.to);
    if (from == to) continue;
    Time& sender = sender_free[from];
    Time& receiver = receiver_free[to];
    sender = receiver = std::max(sender, receiver) + cost(each.parcel.bytes);
    last = std::max(last, sender);
  }
  return last;
}

}  // namespace

double unsynchronised_seconds(const Schedule& schedule, const Network& network) {
  return played<double>(schedule, [&](std::int64_t bytes) {
    return network.latency_s + static_cast<double>(bytes) * network.seconds_per_byte;
  });
}

std::int64_t unsynchronised_bytes(const Schedule& schedule) {
  return played<std::int64_t>(schedule, [](std::int64_t bytes) { return bytes; });
}

std::int64_t length_bytes(const Schedule& schedule) {
  if (!schedule.round_bytes) return unsynchronised_bytes(schedule);
  std::int64_t length = 0;
  for (Round round = 0; round < schedule.rounds; ++round) length += schedule.round_bytes(round);
  return length;
}

double least_seconds(const Pattern& pattern, const Network& network) {
  const PortLoads loads = port_loads(pattern);
  double least = 0;
  for (const auto* const direction : {&loads.sent, &loads.received}) {
    for (const PortLoad& load : *direction) {
      least = std::max(least, static_cast<double>(load.messages) * network.latency_s +
                                  static_cast<double>(load.bytes) * network.seconds_per_byte);
    }
  }
  return least;
}

}  // namespace rota
