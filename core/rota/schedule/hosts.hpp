// Which ranks share a host, and with it its links to all other hosts.
//
//   p = 7 on 3 hosts       host 0: 0 1 2     host 1: 3 4     host 2: 5 6        in a row
//                          host 0: 0 3 6     host 1: 1 4     host 2: 2 5        as hosts are dealt ranks in turn
//
// A message within a host takes no link. So data must pass a link as often as if each host were one rank, however many
// ranks it has: schedules that mind hosts do no more, others may send the same bytes over it for each of its ranks.
//
// A host of several links has as many ports as links; but a rank sends one message at a time, so that a host of fewer ranks
// fills only as many. Where all hosts need all data, the host of the fewest ranks decides how many links count.
#pragma once

#include <memory>
#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

struct Hosts {
  std::vector<Rank> of_rank;             // hosts are numbered in the order of their lowest ranks
  std::vector<std::vector<Rank>> ranks;  // of each host, in increasing order
  Rank links = 1;                        // of each host

  Rank count() const { return static_cast<Rank>(ranks.size()); }
  Rank most_ranks() const;
  /// Links that the ranks of every host can fill: its leaders, one for each.
  Rank lanes() const;
  /// Links that the ranks of a host can fill.
  Rank links_of(Rank host) const;
  /// A rank's position among those of its host. O(log ranks of the host).
  Rank place_of(Rank rank) const;
  /// Are two ranks on the same one?
  bool share(Rank one, Rank other) const;
  /// Are each host's ranks consecutive?
  bool are_in_a_row() const;

  bool operator==(const Hosts&) const = default;
};

/// Do all ranks share one? Where there are no hosts each rank has one to itself.
inline bool are_on_one(const Hosts* hosts) { return hosts != nullptr && hosts->count() == 1; }

/// What links carry where each rank passes something on to the next one, 0 -> 1 -> ... -> p - 1.
struct ChainOverLinks {
  Rank hops = 0;         // from a host to another
  double of_a_link = 1;  // out of the busiest host, or into it, over the links that its ranks can fill

  /// The least in which all of that can pass, one message over each link in a round; not 0.
  Rank rounds() const;
};

/// O(p).
ChainOverLinks chain_over_links(const Hosts& hosts);

/// The same hosts, each with so many links. Throws std::invalid_argument unless there is 1 or more.
Hosts with_links(Hosts hosts, Rank links);

/// The hosts of ranks whose hosts are called by any numbers, alike for ranks on the same one. O(p log p).
Hosts hosts_called(const std::vector<Rank>& name_of_rank);

/// `ranks` ranks in a row on `count` hosts, of which the first ones have one more if it does not come out
/// even. Throws std::invalid_argument unless 1 <= count <= ranks.
Hosts hosts_in_a_row(Rank ranks, Rank count);

}  // namespace rota
