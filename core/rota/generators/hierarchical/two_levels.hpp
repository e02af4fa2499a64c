// What allgathers on two levels are made of: hosts' data in units, each of which goes over a link in one round.
//
// A host's blocks stand in a row: block t is its owner t mod r's block t / r, of r owners. So many of them together are a unit, the
// last one what is left; of k lanes, lane u mod k carries unit u, as its unit u / k. In its turn what a lane's leader has got of
// other hosts' units goes on within its host.
//
//     gather   within hosts    the owners of a host have each other know what they have, lanes' leaders among them
//     link     over links      leaders play a circulant allgather of units, each lane's by themselves
//     pass     within hosts    leaders have their hosts' takers know what has come, by a circulant allgather too
//
//     rounds   gather link pass gather link pass ...    as soon as they may: each begins when the one before has brought what it
//                                                       passes on
//
// A lane's unit b has reached all its leaders after 2 ceil(log2 H) more rounds than b, of H hosts (the circulant schedules' block
// numbers go down to -ceil(log2 H)), so much later it may be passed on; and it may leave 2 ceil(log2 S) rounds after the owners of its
// host, of S ranks, have begun to gather what holds it. There ceil(k / r) times a unit's blocks of each of r owners go together, so that
// round b brings all that is sent over links in round b: units to b k + k - 1, whose owners' blocks are in round
// (b k + k - 1) / (r ceil(k / r)) < b + 1. All lanes of a host are with the same host in a round.
//
// Takers are all ranks, but between two groups of which one has all data. What nobody takes is not passed on, and where only the leader of
// the one lane takes what its host's owners have, they send it that, block t in round t of gathering.
//
// There are as many lanes as links, but no more than the fewest ranks of a host (hosts.hpp says why that is no loss).
#pragma once

#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// One host's part.
struct HostPart {
  std::vector<Rank> ranks;   // those that own data first; the i-th leads lane i, as far as there are lanes
  std::vector<Rank> owners;  // of its ranks, those that own data
  std::vector<Rank>
      takers;           // and those that are to have all data, in increasing order; leaders get it anyway
  BlockIndex unit = 1;  // blocks
};

/// The parts of all hosts, with units of one block and all ranks as takers. Throws std::invalid_argument for
/// a problem that is none, or one without hosts.
std::vector<HostPart> parts_of_hosts(const Problem& problem);

/// The allgather, or the broadcast, by these parts of the problem's hosts, to their takers and leaders.
Schedule allgather_on_two_levels(const Problem& problem, std::vector<HostPart> parts);

}  // namespace rota
