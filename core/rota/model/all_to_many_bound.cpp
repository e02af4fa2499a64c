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

std::size_t index(Rank number) { return static_cast<std::size_t>(number); }

bool share_host(const Hosts* hosts, Rank one, Rank other) {
  return hosts != nullptr && hosts->share(one, other);
}

/// What ranks have for those of other hosts, and on shared hosts what all ranks of each have.
struct LoadsBetween {
  LoadsBetween(const Pattern& pattern, const Hosts* hosts)
      : of_ranks(index(pattern.ranks())), of_hosts(hosts == nullptr ? 0 : hosts->ranks.size()) {}

  std::vector<PortLoad> of_ranks;
  std::vector<PortLoad> of_hosts;
};

void add(PortLoad& load, std::int64_t bytes) {
  ++load.messages;
  load.bytes += bytes;
}

double most_seconds(const std::vector<PortLoad>& loads, const Network& network) {
  double most = 0;
  for (const PortLoad& load : loads) {
    most = std::max(most, static_cast<double>(load.messages) * network.latency_s +
                              static_cast<double>(load.bytes) * network.seconds_per_byte);
  }
  return most;
}

/// Until the last parcel is through, if one of b bytes takes cost(b); within a host nothing.
template <class Time, class Cost>
Time played(const Schedule& schedule, const Cost& cost) {
  const Problem& problem = schedule.problem;
  Ports<Time> senders(problem);
  Ports<Time> receivers(problem);
  Time last{};
  for (const TimedParcel& each : listed(schedule)) {
    if (share_host(problem.hosts.get(), each.from, each.parcel.to)) continue;
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

double least_seconds(const Pattern& pattern, const Hosts* hosts, const Network& network) {
  LoadsBetween sent(pattern, hosts);
  LoadsBetween received(pattern, hosts);
  for (const Shipment& each : pattern.shipments()) {
    if (share_host(hosts, each.from, each.to)) continue;
    add(sent.of_ranks[index(each.from)], each.bytes);
    add(received.of_ranks[index(each.to)], each.bytes);
    if (hosts == nullptr) continue;
    add(sent.of_hosts[index(hosts->of_rank[index(each.from)])], each.bytes);
    add(received.of_hosts[index(hosts->of_rank[index(each.to)])], each.bytes);
  }
  double least = 0;
  for (const LoadsBetween* const direction : {&sent, &received}) {
    least = std::max(least, most_seconds(direction->of_ranks, network));
    if (hosts != nullptr) least = std::max(least, most_seconds(direction->of_hosts, network) / hosts->links);
  }
  return least;
}

}  // namespace rota
