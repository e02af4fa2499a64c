#include "rota/generators/hierarchical/chain_turns.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace rota {

namespace {

/// A hop's ends: its link out of a host and its link into one, of all such links.
using Ends = std::array<Rank, 2>;

constexpr Rank none = -1;

/// Hops as edges; those within a host have no ends. A host's are dealt to its links in turn.
std::vector<Ends> edges_of(const Hosts& hosts) {
  std::array<std::vector<Rank>, 2> dealt;
  for (std::vector<Rank>& of_host : dealt) of_host.resize(hosts.ranks.size());
  const auto next_link = [&](std::size_t end, Rank host) {
    return host * hosts.links + dealt[end][static_cast<std::size_t>(host)]++ % hosts.links_of(host);
  };
  std::vector<Ends> edges;
  for (std::size_t hop = 0; hop + 1 < hosts.of_rank.size(); ++hop) {
    const Rank from = hosts.of_rank[hop];
    const Rank to = hosts.of_rank[hop + 1];
    edges.push_back(from == to ? Ends{none, none} : Ends{next_link(0, from), next_link(1, to)});
  }
  return edges;
}

class Colouring {
 public:
  Colouring(std::vector<Ends> edges, Rank links, Rank colours)
      : edges_(std::move(edges)), colours_(colours), of_hop_(edges_.size(), none) {
    for (std::vector<Rank>& hops : hop_at_) hops.assign(place(links, 0), none);
  }

  bool has_colour(std::size_t hop) const { return of_hop_[hop] != none; }
  Rank operator[](std::size_t hop) const { return of_hop_[hop]; }

  /// The first colour from `wanted` on that is free at both ends, or is made so.
  void colour(std::size_t hop, Rank wanted) {
    const auto [out, in] = edges_[hop];
    const Rank both =
        first(wanted, [&](Rank each) { return hop_at(0, out, each) == none && hop_at(1, in, each) == none; });
    if (both != none) return set(hop, both);
    const Rank free_out = first(wanted, [&](Rank each) { return hop_at(0, out, each) == none; });
    const Rank free_in = first(wanted, [&](Rank each) { return hop_at(1, in, each) == none; });
    exchange(in, free_out, free_in);
    set(hop, free_out);
  }

 private:
  template <class Predicate>
  Rank first(Rank wanted, const Predicate& suits) const {
    for (Rank further = 0; further < colours_; ++further) {
      const Rank colour = (wanted + further) % colours_;
      if (suits(colour)) return colour;
    }
    return none;
  }

  std::size_t place(Rank link, Rank colour) const {
    return static_cast<std::size_t>(link) * static_cast<std::size_t>(colours_) +
           static_cast<std::size_t>(colour);
  }
  Rank& hop_at(std::size_t end, Rank link, Rank colour) { return hop_at_[end][place(link, colour)]; }

  void set(std::size_t hop, Rank colour) {
    of_hop_[hop] = colour;
    for (const std::size_t end : {0U, 1U}) hop_at(end, edges_[hop][end], colour) = static_cast<Rank>(hop);
  }

  /// On the path of both colours that begins with `one` at a link into a host. It never comes to the link at
  /// which `one` is free, for to links out of hosts it comes by `one`.
  void exchange(Rank link, Rank one, Rank other) {
    const std::vector<std::size_t> path = path_from(link, one, other);
    for (const std::size_t hop : path) {
      for (const std::size_t end : {0U, 1U}) hop_at(end, edges_[hop][end], of_hop_[hop]) = none;
    }
    for (const std::size_t hop : path) set(hop, of_hop_[hop] == one ? other : one);
  }

  std::vector<std::size_t> path_from(Rank link, Rank one, Rank other) {
    std::vector<std::size_t> path;
    std::size_t end = 1;
    for (Rank hop = hop_at(end, link, one); hop != none; hop = hop_at(end, link, end == 1 ? one : other)) {
      path.push_back(static_cast<std::size_t>(hop));
      end = 1 - end;
      link = edges_[path.back()][end];
    }
    return path;
  }

  std::vector<Ends> edges_;
  Rank colours_;
  std::vector<Rank> of_hop_;
  std::array<std::vector<Rank>, 2> hop_at_;  // by end, link and colour
};

/// Each hop's is the first that it can have behind the one before it.
Colouring colouring_of(const Hosts& hosts, Rank colours) {
  const std::vector<Ends> edges = edges_of(hosts);
  Colouring colouring(edges, hosts.count() * hosts.links, colours);
  Rank wanted = 0;
  for (std::size_t hop = 0; hop < edges.size(); ++hop) {
    if (edges[hop][0] != none) {
      colouring.colour(hop, wanted);
      wanted = colouring[hop];
    }
    wanted = (wanted + 1) % colours;
  }
  return colouring;
}

/// The first round from `round` on of that colour.
Round first_from(Round round, Rank colour, Rank colours) {
  return round + (colour - round % colours + colours) % colours;
}

}  // namespace

ChainTurns chain_turns(const Hosts& hosts) {
  const Rank period = chain_over_links(hosts).rounds();
  const Colouring colouring = colouring_of(hosts, period);
  ChainTurns turns{period, {}};
  Round next = 0;
  for (std::size_t hop = 0; hop + 1 < hosts.of_rank.size(); ++hop) {
    const Round first = colouring.has_colour(hop) ? first_from(next, colouring[hop], period) : next;
    turns.first.push_back(first);
    next = first + 1;
  }
  return turns;
}

}  // namespace rota
