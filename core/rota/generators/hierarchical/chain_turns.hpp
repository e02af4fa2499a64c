// In which rounds the hops of a chain 0 -> 1 -> ... -> p - 1 are made where ranks share hosts: so that no link is asked for two messages
// in a round, and each is busy in all rounds if it carries most.
//
// Statement   hop r, from rank r to r + 1, carries block i in round first[r] + i period, 0 <= i < n. In no round do more hops leave a host,
//             or enter one, than it has links that its ranks can fill. period is the least for which that can be: the most hops out of a
//             host, or into one, over its links, rounded up
// Cost        O(p period) where no hop is moved, O(p) more for each that is
// Needs       any hosts
// Source      Rota; hops are edges between the hosts' outward and inward links, rounds modulo the period their colours. That as many
//             colours do as a vertex has edges is Kőnig's theorem, by alternating paths
//
//   3 hosts, dealt in turn   hop     0->1  1->2  2->3  3->4  4->5  5->6  6->7  7->8     each host: 3 hops out at the most, period 3
//   host 0: 0 3 6            out of    0     1     2     0     1     2     0     1
//   host 1: 1 4 7            into      1     2     0     1     2     0     1     2
//   host 2: 2 5 8            first     0     1     2     4     5     6     8     9      modulo 3 all differ, of each host
//
// Each hop takes the first round behind the one before it whose colour is free at both of its ends. Where there is none, its ends have
// free colours a and b: on the path that begins at its end with edges of a and b in turn, the two are exchanged, and then a is free at both.
// Hops within a host are edges of nothing, and follow at once.
#pragma once

#include <vector>

#include "rota/schedule/hosts.hpp"

namespace rota {

struct ChainTurns {
  Round period = 1;
  std::vector<Round> first;  // of hop 0 .. p - 2
};

ChainTurns chain_turns(const Hosts& hosts);

}  // namespace rota
