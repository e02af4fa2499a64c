#include "rota/schedule/hosts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "rota/schedule/groups.hpp"

namespace rota {

Rank Hosts::most_ranks() const {
  std::size_t most = 0;
  for (const std::vector<Rank>& each : ranks) most = std::max(most, each.size());
  return static_cast<Rank>(most);
}

Rank Hosts::lanes() const {
  Rank fewest = links;
  for (Rank host = 0; host < count(); ++host) fewest = std::min(fewest, links_of(host));
  return fewest;
}

Rank Hosts::links_of(Rank host) const {
  return std::min(links, static_cast<Rank>(ranks[static_cast<std::size_t>(host)].size()));
}

Rank Hosts::place_of(Rank rank) const {
  const std::vector<Rank>& host = ranks[static_cast<std::size_t>(of_rank[static_cast<std::size_t>(rank)])];
  return static_cast<Rank>(std::ranges::lower_bound(host, rank) - host.begin());
}

bool Hosts::share(Rank one, Rank other) const {
  return of_rank[static_cast<std::size_t>(one)] == of_rank[static_cast<std::size_t>(other)];
}

bool Hosts::are_in_a_row() const { return std::ranges::is_sorted(of_rank); }

Rank ChainOverLinks::rounds() const { return std::max(1, static_cast<Rank>(std::ceil(of_a_link))); }

ChainOverLinks chain_over_links(const Hosts& hosts) {
  std::vector<Rank> out(hosts.ranks.size());
  std::vector<Rank> in(hosts.ranks.size());
  ChainOverLinks chain{0, 0};
  for (std::size_t rank = 1; rank < hosts.of_rank.size(); ++rank) {
    const Rank from = hosts.of_rank[rank - 1];
    const Rank to = hosts.of_rank[rank];
    if (from == to) continue;
    ++chain.hops;
    const double out_of_one =
        static_cast<double>(++out[static_cast<std::size_t>(from)]) / hosts.links_of(from);
    const double into_other = static_cast<double>(++in[static_cast<std::size_t>(to)]) / hosts.links_of(to);
    chain.of_a_link = std::max({chain.of_a_link, out_of_one, into_other});
  }
  return chain;
}

Hosts with_links(Hosts hosts, Rank links) {
  if (links < 1)
    throw std::invalid_argument("hosts with " + std::to_string(links) + " links; give each at least 1");
  hosts.links = links;
  return hosts;
}

Hosts hosts_called(const std::vector<Rank>& name_of_rank) {
  Hosts hosts;
  std::map<Rank, Rank> numbers;
  for (std::size_t rank = 0; rank < name_of_rank.size(); ++rank) {
    const Rank number = numbers.try_emplace(name_of_rank[rank], hosts.count()).first->second;
    if (number == hosts.count()) hosts.ranks.emplace_back();
    hosts.ranks[static_cast<std::size_t>(number)].push_back(static_cast<Rank>(rank));
    hosts.of_rank.push_back(number);
  }
  return hosts;
}

Hosts hosts_in_a_row(Rank ranks, Rank count) {
  if (count < 1 || count > ranks) {
    throw std::invalid_argument(std::to_string(count) + " hosts of " + std::to_string(ranks) +
                                " ranks; give 1 to as many as there are ranks");
  }
  std::vector<Rank> names(static_cast<std::size_t>(ranks));
  for (Rank host = 0; host < count; ++host) {
    const auto first = names.begin() + cut_begin(ranks, count, host);
    std::fill(first, names.begin() + cut_begin(ranks, count, host + 1), host);
  }
  return hosts_called(names);
}

}  // namespace rota
