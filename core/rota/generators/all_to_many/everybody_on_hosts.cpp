#include "rota/generators/all_to_many/everybody_on_hosts.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rota {

namespace {

Rank modulo(Rank value, Rank number) { return ((value % number) + number) % number; }

Rank size(const std::vector<Rank>& host) { return static_cast<Rank>(host.size()); }

/// The rank that stands there, if there is one.
Rank at(const std::vector<Rank>& host, Rank place) {
  return place < size(host) ? host[static_cast<std::size_t>(place)] : -1;
}

const std::vector<Rank>& host_at(const Hosts& hosts, Rank host) {
  return hosts.ranks[static_cast<std::size_t>(modulo(host, hosts.count()))];
}

/// Those within a host that follow a distance's rounds: c = distance, distance + distances, ... < ranks.
Round rounds_within(Rank distance, Rank distances, Rank ranks) {
  return distance < ranks ? (ranks - 1 - distance) / distances + 1 : 0;
}

Message message(Rank peer, Rank sender, Round round) {
  return peer < 0 ? Message{} : Message{peer, Block{sender, round}};
}

}  // namespace

EverybodyOnHosts::EverybodyOnHosts(std::shared_ptr<const Hosts> hosts) : hosts_(std::move(hosts)) {
  const Rank distances = hosts_->count() - 1;
  if (distances < 1) throw std::invalid_argument("one host; give two or more");
  const Rank most = hosts_->most_ranks();
  begins_.push_back(0);
  for (Rank distance = 1; distance <= distances; ++distance)
    begins_.push_back(begins_.back() + most + rounds_within(distance, distances, most));
}

Peers EverybodyOnHosts::peers(Rank rank, Round round) const {
  const auto next = std::ranges::upper_bound(begins_, round);
  const auto distance = static_cast<Rank>(next - begins_.begin());
  const auto c = static_cast<Rank>(round - *(next - 1));
  const Rank most = hosts_->most_ranks();
  if (c < most) return between(rank, distance, c);
  return within(rank, distance + (c - most) * (hosts_->count() - 1));
}

Peers EverybodyOnHosts::between(Rank rank, Rank distance, Rank c) const {
  const Rank own = hosts_->of_rank[static_cast<std::size_t>(rank)];
  const Rank place = hosts_->place_of(rank);
  const std::vector<Rank>& to = host_at(*hosts_, own + distance);
  const std::vector<Rank>& from = host_at(*hosts_, own - distance);
  const Rank sending = std::max(size(host_at(*hosts_, own)), size(to));
  const Rank receiving = std::max(size(host_at(*hosts_, own)), size(from));
  return {c < sending ? at(to, modulo(place + c, sending)) : -1,
          c < receiving ? at(from, modulo(place - c, receiving)) : -1};
}

Peers EverybodyOnHosts::within(Rank rank, Rank c) const {
  const std::vector<Rank>& host = host_at(*hosts_, hosts_->of_rank[static_cast<std::size_t>(rank)]);
  if (c >= size(host)) return {};
  const Rank place = hosts_->place_of(rank);
  return {at(host, modulo(place + c, size(host))), at(host, modulo(place - c, size(host)))};
}

Schedule everybody_to_everybody(const std::shared_ptr<const EverybodyOnHosts>& everybody) {
  const Hosts& hosts = *everybody->hosts();
  Problem problem{Collective::all_to_many, static_cast<Rank>(hosts.of_rank.size())};
  problem.hosts = everybody->hosts();
  const bool alike = std::ranges::all_of(
      hosts.ranks, [&](const std::vector<Rank>& host) { return size(host) == hosts.most_ranks(); });
  return {problem,
          everybody->rounds(),
          [everybody](Rank rank) -> RankSchedule {
            return [everybody, rank](Round round) {
              const auto [to, from] = everybody->peers(rank, round);
              return Step{message(to, rank, round), message(from, from, round), OnReceive::store, {}};
            };
          },
          {},
          // Peers depend on distances of hosts and on places only, where hosts have as many ranks.
          alike ? Symmetry::rotation_of_hosts : Symmetry::none};
}

}  // namespace rota
