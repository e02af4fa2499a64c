#include "rota/model/link_bound.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

/// One group on the hosts: its ranks, and the bytes of their shares.
struct OnHosts {
  Rank all_ranks = 0;
  double all_bytes = 0;
  std::vector<Rank> ranks;
  std::vector<double> bytes;

  bool is_all_on(std::size_t host) const { return ranks[host] == all_ranks; }
};

OnHosts on_hosts(const Problem& problem, const Group& group) {
  const Hosts& hosts = *problem.hosts;
  OnHosts on{group.size(), 0, std::vector<Rank>(hosts.ranks.size()), std::vector<double>(hosts.ranks.size())};
  for (Rank rank = group.first; rank < group.end; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    const auto host = static_cast<std::size_t>(hosts.of_rank[r]);
    ++on.ranks[host];
    if (!problem.shares.empty()) on.bytes[host] += static_cast<double>(problem.shares[r]);
  }
  on.all_bytes = std::accumulate(on.bytes.begin(), on.bytes.end(), 0.0);
  return on;
}

/// What enters a host, and what leaves it.
struct Link {
  double in = 0;
  double out = 0;
};

Link of_shares(const OnHosts& senders, const OnHosts& receivers, std::size_t host) {
  return {receivers.ranks[host] > 0 ? senders.all_bytes - senders.bytes[host] : 0,
          receivers.is_all_on(host) ? 0 : senders.bytes[host]};
}

/// Of one value for all.
Link of_sum(const OnHosts& senders, const OnHosts& receivers, std::size_t host, double bytes) {
  return {receivers.ranks[host] > 0 && !senders.is_all_on(host) ? bytes : 0, 0};
}

}  // namespace

double link_bytes_between(const Problem& problem, double bytes) {
  if (problem.collective == Collective::inter_broadcast || problem.collective == Collective::inter_reduce) {
    const OnHosts others = on_hosts(problem, other_group(problem, problem.root));
    const Rank host = problem.hosts->of_rank[static_cast<std::size_t>(problem.root)];
    return others.is_all_on(static_cast<std::size_t>(host)) ? 0 : bytes;
  }
  const auto groups = groups_of(problem);
  const std::array on{on_hosts(problem, groups[0]), on_hosts(problem, groups[1])};
  double most = 0;
  for (std::size_t host = 0; host < problem.hosts->ranks.size(); ++host) {
    const auto link = [&](const OnHosts& senders, const OnHosts& receivers) {
      return problem.shares.empty() ? of_sum(senders, receivers, host, bytes)
                                    : of_shares(senders, receivers, host);
    };
    const Link there = link(on[0], on[1]);
    const Link back = link(on[1], on[0]);
    most = std::max({most, there.in + back.in, there.out + back.out});
  }
  return most;
}

}  // namespace rota
