// All-to-many by ports: those of ranks that have a host each, of hosts that ranks share, or of all their links.
//
// Statement   every byte is sent once, by a schedule of the pattern of ports: where ranks share hosts, what leaves a host goes to one other
//             host at a time (on_hosts.hpp); over several links to several, in pieces (over_links.hpp) or whole (whole_over_links.hpp)
// Length, rounds, bytes, cost     those of the schedule of ports, and of the files named above
// Needs       p >= 1; any hosts, or none
// Source      as there
//
//   ports of    ranks: no hosts     hosts: one link each, or an algorithm of paper 2     links: weighted and unsplit
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// An all-to-many schedule for a pattern of ports.
using OfPorts = std::function<Schedule(const std::shared_ptr<const Pattern>&)>;

/// Of ranks, or of hosts if there are any. The seed decides among equally good orders within and between
/// hosts. Throws std::invalid_argument for hosts of another number of ranks.
Schedule all_to_many_by_ports(const std::shared_ptr<const Pattern>& pattern,
                              const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed,
                              const OfPorts& of_ports);

/// The shortest, over all links; pieces are multiples of `grain_bytes`, as in grained_permutations.
Schedule weighted_by_links(const std::shared_ptr<const Pattern>& pattern,
                           const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed,
                           std::int64_t grain_bytes);

/// Messages whole, over all links, as in unsplit_messages_with_start.
Schedule unsplit_by_links(const std::shared_ptr<const Pattern>& pattern,
                          const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed,
                          std::int64_t start_bytes);

}  // namespace rota
