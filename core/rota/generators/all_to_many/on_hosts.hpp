// All-to-many where ranks share hosts: a schedule of hosts, one level up, in which the messages between two hosts take each other's
// place, and what stays within a host goes beside it.
//
// Statement   every byte is sent once; in each round what leaves a host goes to one other host, what comes to a host comes from
//             one other, and a rank sends one message and receives one at most
// Length      of the busiest link: that of the hosts' schedule, so with a weighted one exactly the bytes of the busiest host,
//             without synchronisation; where all pairs of ranks have as much for each other, with an exact one too
// Rounds      for each round of the hosts' schedule as many as a rank has messages in it at most, and as many as a rank has within
//             its host
// Bytes       each once
// Cost        that of colouring the messages of each pair of hosts, O(E log D) in all, and of the hosts' schedule
// Needs       p >= 1; any hosts
// Source      paper 2's permutations and König's theorem, twice: for hosts, and for ranks of two hosts
//
//   4 ranks on 2 hosts, all to all     hosts' round 0   A <-> B     round 0   0 <-> 2   1 <-> 3
//   A: 0 1    B: 2 3                                                      1   0 <-> 3   1 <-> 2
//                                      within hosts                       2   0 <-> 1   2 <-> 3
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// Throws std::invalid_argument if hosts are of another number of ranks than the pattern.
void require_same_ranks(const Pattern& pattern, const Hosts& hosts);

/// The pattern of hosts, as if each were one rank: what all its ranks have for those of another.
/// Throws std::invalid_argument if hosts are of another number of ranks.
Pattern pattern_of_hosts(const Pattern& pattern, const Hosts& hosts);

/// By an all-to-many schedule `of_hosts` for the pattern of hosts. The seed decides among equally good ones.
/// Throws std::invalid_argument if hosts or schedule are for other numbers of ranks or hosts.
Schedule all_to_many_on_hosts(const std::shared_ptr<const Pattern>& pattern,
                              const std::shared_ptr<const Hosts>& hosts, const Schedule& of_hosts,
                              std::uint64_t seed);

}  // namespace rota
