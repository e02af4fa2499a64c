// The least that any schedule needs, and what a given one takes: the two numbers that stand side by side.
#pragma once

#include <array>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// ceil(log2 ranks): the rounds that it takes one rank to reach, or to hear from, all others.
int ceil_log2(Rank ranks);

/// Rounds, and blocks through the busiest port (the larger of one rank's blocks sent and blocks received).
struct Effort {
  Round rounds = 0;
  std::int64_t port_blocks = 0;

  bool operator==(const Effort&) const = default;
};

/// No one-ported, full-duplex schedule achieves `problem` over p > 1 ranks with less (p = 1: nothing).
/// Rounds: n - 1 + ceil(log2 p) where a message carries at most one block of each owner; n = 1: ceil(log2 p),
/// whatever messages carry. Blocks: n for what has one root, and for scans; all owners' but a rank's own in
/// allgather and reduce-scatter; 2 (p - 1) / p of all in allreduce. All-to-many: both are D, the most
/// messages that one rank sends, or receives, for no round takes more than one of them. Between groups of p
/// and q: as among the root and the other group; in inter_allgather ceil(log2(1 + the larger group)) rounds,
/// whatever messages carry (half duplex or not: a receiver must hear from all senders, a sender reach all
/// receivers), and all blocks of the group that has more of them; in inter_allreduce as many rounds, and of
/// the two groups' blocks together (p + q - 1) / (p + q), for each contributor sends and each receiver
/// receives. Source: paper 1, Section 1; shared by reductions because a reduction played backwards is a
/// broadcast; paper 3, Section III.
Effort lower_bound(const Problem& problem);

/// One of the groups of a collective between two.
struct GroupLoad {
  Rank ranks = 0;
  double bytes = 0;  // in inter_allgather: that all its ranks together have for the other group
  double largest_share_bytes = 0;
};

/// Where the ranks of a call run.
struct Placement {
  Rank hosts = 0;  // that ranks share; 0: each rank has one to itself
  Rank most_ranks = 1;
  Rank most_owners = 1;    // on one host: ranks with data of their own
  double link_bytes = 0;   // between groups: that must pass the busiest host's links (link_bound.hpp)
  Rank links = 1;          // of a host, as far as it has as many ranks to fill them
  Rank lanes = 1;          // that every host can fill
  ChainOverLinks chain{};  // of scans
};

Placement placement_of(const Problem& problem);

/// Is the data of a call divided among its owners, or has each owner all of it?
bool is_shared_out(Collective collective);

/// The data of a call: `bytes` in all (all-to-many: the most that one rank sends, or receives;
/// inter_allgather: of the group that has more), of which one rank's own share is the smallest.
struct Load {
  Collective collective = Collective::broadcast;
  Rank ranks = 1;
  double bytes = 0;
  double smallest_share_bytes = 0;  // in allgather and reduce_scatter
  double largest_share_bytes = 0;
  std::array<GroupLoad, 2> groups{};  // between groups; of inter_broadcast and inter_reduce the root's first
  Placement placement{};
};

/// The bytes that must pass the busiest port, each way, whatever the schedule; where ranks share hosts, the
/// busiest host's links, of which each carries its part: then what is within a host takes none, and some
/// host's share is no more than the mean. In a scan, whatever the operator, each run of a host's ranks that
/// is followed by others' sends a value that these need, and each that follows others needs one: both as
/// often as a chain of all ranks leaves and enters the host.
double port_bytes_bound(const Load& load);

/// What the schedule takes, by asking every rank for every round: O(p rounds).
Effort effort(const Schedule& schedule);

}  // namespace rota
