#include "rota/model/all_to_many_bound.hpp"

#include <algorithm>
#include <vector>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

namespace {

/// When the ports of one direction are free: each rank's, and each link of its host's if ranks share hosts.
template <class Time>
class Ports {
 public:
  explicit Ports(const Problem& problem)
      : hosts_(problem.hosts.get()),
        of_ranks_(static_cast<std::size_t>(problem.ranks)),
        of_hosts_(hosts_ == nullptr ? 0 : hosts_->ranks.size(),
                  std::vector<Time>(hosts_ == nullptr ? 0 : static_cast<std::size_t>(hosts_->links))) {}

  Time free_for(Rank rank) const {
    const Time own = of_ranks_[static_cast<std::size_t>(rank)];
    return hosts_ == nullptr ? own : std::max(own, std::ranges::min(of_hosts_[host_of(rank)]));
  }

  void take(Rank rank, Time until) {
    of_ranks_[static_cast<std::size_t>(rank)] = until;
    if (hosts_ != nullptr) *std::ranges::min_element(of_hosts_[host_of(rank)]) = until;
  }

 private:
  std::size_t host_of(Rank rank) const {
    return static_cast<std::size_t>(hosts_->of_rank[static_cast<std::size_t>(rank)]);
  }

  const Hosts* hosts_;
  std::vector<Time> of_ranks_;
  std::vector<std::vector<Time>> of_hosts_;
};

bool is_within_host(const Problem& problem, const TimedParcel& parcel) {
  if (!problem.hosts) return false;
  const std::vector<Rank>& host_of = problem.hosts->of_rank;
  return host_of[static_cast<std::size_t>(parcel.from)] ==
         host_of[static_cast<std::size_t>(parcel.parcel.to)];
}

/// Until the last parcel is through, if one of b bytes takes cost(b); within a host nothing.
template <class Time, class Cost>
Time played(const Schedule& schedule, const Cost& cost) {
  const Problem& problem = schedule.problem;
  Ports<Time> senders(problem);
  Ports<Time> receivers(problem);
  Time last{};
  for (const TimedParcel& each : listed(schedule)) {
    if (is_within_host(problem, each)) continue;
    const Time begin = std::max(senders.free_for(each.from), receivers.free_for(each.parcel.to));
    const Time end = begin + cost(each.parcel.bytes);
    senders.take(each.from, end);
    receivers.take(each.parcel.to, end);
    last = std::max(last, end);
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
