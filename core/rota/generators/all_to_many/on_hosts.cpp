#include "rota/generators/all_to_many/on_hosts.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rota/generators/all_to_many/placed.hpp"
#include "rota/matchings/edge_colouring.hpp"

namespace rota {

namespace {

using Messages = std::vector<Shipment>;

/// The messages from one host to another, or within one.
using Pair = std::pair<Rank, Rank>;
using Bundles = std::map<Pair, Messages>;

std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }

Pair pair_of(const Hosts& hosts, Rank from, Rank to) {
  return {hosts.of_rank[index(from)], hosts.of_rank[index(to)]};
}

bool is_within(const Pair& pair) { return pair.first == pair.second; }

Bundles bundles_of(const Pattern& pattern, const Hosts& hosts) {
  Bundles bundles;
  for (const Shipment& each : pattern.shipments())
    bundles[pair_of(hosts, each.from, each.to)].push_back(each);
  return bundles;
}

/// A message, and its colour in its bundle: no two of a colour have a rank in common.
struct Coloured {
  Shipment message;
  Round colour = 0;
};

/// A bundle in the order of colours, in which it is cut into the parcels of the hosts' schedule.
class Bundle {
 public:
  Bundle(const Messages& messages, const std::vector<Rank>& place_of_rank, std::uint64_t seed) {
    std::vector<BipartiteEdge> edges;
    edges.reserve(messages.size());
    Rank places = 0;
    for (const Shipment& each : messages) {
      edges.push_back({place_of_rank[index(each.from)], place_of_rank[index(each.to)]});
      places = std::max({places, edges.back().left + 1, edges.back().right + 1});
    }
    const EdgeColouring colouring = edge_colouring(index(places), edges, seed);
    for (std::size_t i = 0; i < messages.size(); ++i) all_.push_back({messages[i], colouring.of_edges[i]});
    std::ranges::sort(all_, {},
                      [](const Coloured& each) { return std::pair(each.colour, each.message.from); });
    colours_ = colouring.colours;
  }

  Round colours() const { return colours_; }

  /// Pieces of messages.
  struct Piece {
    Rank from = 0;
    Parcel parcel;
    Round colour = 0;
  };

  /// The next so many bytes of all.
  std::vector<Piece> next(std::int64_t bytes) {
    std::vector<Piece> pieces;
    while (bytes > 0) {
      const auto& [message, colour] = all_.at(next_);
      const std::int64_t taken = std::min(bytes, message.bytes - taken_bytes_);
      pieces.push_back({message.from, {message.to, taken_bytes_, taken}, colour});
      bytes -= taken;
      taken_bytes_ += taken;
      if (taken_bytes_ < message.bytes) continue;
      taken_bytes_ = 0;
      ++next_;
    }
    return pieces;
  }

  std::vector<Piece> whole() {
    std::int64_t bytes = 0;
    for (const Coloured& each : all_) bytes += each.message.bytes;
    return next(bytes);
  }

 private:
  std::vector<Coloured> all_;
  Round colours_ = 0;
  std::size_t next_ = 0;          // message of which not all has been taken,
  std::int64_t taken_bytes_ = 0;  // but so much
};

/// Between hosts: each round of theirs becomes as many as a pair of hosts has colours in it at most.
Timed between(std::map<Pair, Bundle>& bundles, const Schedule& of_hosts) {
  Timed result;
  Round begin = 0;
  Round last = -1;
  for (const TimedParcel& each : listed(of_hosts)) {
    if (std::exchange(last, each.round) != each.round) begin = result.rounds;
    const auto pieces = bundles.at({each.from, each.parcel.to}).next(each.parcel.bytes);
    for (const Bundle::Piece& piece : pieces) {
      const Round round = begin + piece.colour - pieces.front().colour;
      result.parcels.push_back({piece.from, piece.parcel, round});
      result.rounds = std::max(result.rounds, round + 1);
    }
  }
  return result;
}

Timed within(std::map<Pair, Bundle>& bundles) {
  Timed result;
  for (auto& [pair, bundle] : bundles) {
    if (!is_within(pair)) continue;
    result.rounds = std::max(result.rounds, bundle.colours());
    for (const Bundle::Piece& piece : bundle.whole())
      result.parcels.push_back({piece.from, piece.parcel, piece.colour});
  }
  return result;
}

std::vector<Rank> places_on_hosts(const Hosts& hosts) {
  std::vector<Rank> places(hosts.of_rank.size());
  for (const std::vector<Rank>& host : hosts.ranks) {
    for (std::size_t i = 0; i < host.size(); ++i) places[index(host[i])] = static_cast<Rank>(i);
  }
  return places;
}

void require_for(const Hosts& hosts, const Schedule& of_hosts) {
  if (of_hosts.problem.collective != Collective::all_to_many || of_hosts.problem.ranks != hosts.count())
    throw std::invalid_argument("no all-to-many schedule of so many hosts; make it for pattern_of_hosts");
}

}  // namespace

void require_same_ranks(const Pattern& pattern, const Hosts& hosts) {
  if (std::cmp_equal(hosts.of_rank.size(), pattern.ranks())) return;
  throw std::invalid_argument("hosts of " + std::to_string(hosts.of_rank.size()) + " ranks, a pattern of " +
                              std::to_string(pattern.ranks()) + "; give the host of each rank");
}

Pattern pattern_of_hosts(const Pattern& pattern, const Hosts& hosts) {
  require_same_ranks(pattern, hosts);
  std::vector<Shipment> shipments;
  for (const auto& [pair, messages] : bundles_of(pattern, hosts)) {
    std::int64_t bytes = 0;
    for (const Shipment& each : messages) bytes += each.bytes;
    shipments.push_back({pair.first, pair.second, bytes});
  }
  return {hosts.count(), shipments};
}

Schedule all_to_many_on_hosts(const std::shared_ptr<const Pattern>& pattern,
                              const std::shared_ptr<const Hosts>& hosts, const Schedule& of_hosts,
                              std::uint64_t seed) {
  require_same_ranks(*pattern, *hosts);
  require_for(*hosts, of_hosts);
  const std::vector<Rank> places = places_on_hosts(*hosts);
  std::map<Pair, Bundle> bundles;
  for (const auto& [pair, messages] : bundles_of(*pattern, *hosts))
    bundles.emplace(pair, Bundle(messages, places, seed));
  return schedule_on_hosts(pattern, hosts, spread(within(bundles), between(bundles, of_hosts)));
}

}  // namespace rota
