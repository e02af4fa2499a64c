// The time that a schedule takes where ranks share hosts, and with them links: what is within a host passes no link.
//
// Each rank goes on at its own pace, as in simulate. A message within a host takes the memory's latency and bytes. One between
// hosts takes the latency, which is its ranks' own, and then its bytes on a link of the sender's host, out, and one of the
// receiver's, in, both at once: each way is a link to itself, and carries one message at a time. What finds one of them
// occupied waits; a link that becomes free takes the first that waits for it and finds the other one free.
//
//   host A: 0 1   host B: 2 3   0 -> 2 and 1 -> 3, both begun at 0, no latency   |0 -> 2|1 -> 3|   the one link out of A
//
// With one rank a host, links are never waited for, and ranks are done when simulate says.
//
// Where the schedule rotates by hosts (rota/schedule/host_rotation.hpp), and data at the same place of each host are of one size,
// one host's play is all hosts'. By induction over events in the order of time, of what happens, and of places: if all hosts are alike
// before, the events of one time, kind and place are one of each host, or of none; what they do on one host, they do on all. It
// remains that they do not get in each other's way: the messages that one place's ranks send, all hosts equally far on, are over
// different links; so links take all of them or none. And links look at what waits only when all else of that time has happened.
#pragma once

#include "rota/model/simulate.hpp"

namespace rota {

/// Links between hosts, and the memory that ranks of a host have in common.
struct HostNetwork {
  Network links;  // what combining takes, too
  double within_latency_s = 0;
  double within_seconds_per_byte = 0;
};

/// Plays a schedule, which verify finds no fault with, on problem.hosts; its port_bytes are those of the
/// busiest link, the most of all links out and in. Throws std::invalid_argument without hosts, for messages
/// to what is no rank, and where ranks wait for each other for ever. Asks every rank, or where one host's
/// play is all hosts', host 0's ranks for every round, and takes O(log ranks asked) for each message.
/// on_round is called now and then with the round of the first rank.
Simulation simulate_on_hosts(const Schedule& schedule, const HostNetwork& network, const BlockBytes& bytes,
                             const OnRound& on_round = {});

/// The same by asking every rank, also where one host's play is all hosts'.
Simulation simulate_all_hosts(const Schedule& schedule, const HostNetwork& network, const BlockBytes& bytes,
                              const OnRound& on_round = {});

}  // namespace rota
