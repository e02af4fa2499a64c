// All-to-many where ranks share hosts of several links, each message sent whole: whenever a sender, a receiver and a link of both their hosts
// are free that have a message between them, one starts; the one of which a port has most left to do.
//
// Statement   every byte is sent once, every message whole; in each round at most k messages leave a host of k links, and at most k come to it
// Length      without synchronisation between rounds, less than four times the bound: until the last message starts, a rank or all
//             links of a host are busy, at one of its ends, out or in; near the bound where messages are many
// Rounds      at most messages: they say in which order messages start
// Bytes       each once
// Cost        O(E (d + S log S)) for d messages of a rank and S ranks of a host, where the first that has most to do can start something
// Needs       p >= 1; any hosts
// Source      list scheduling of open shops, as in unsplit_messages.hpp; links as machines of which a host has k alike
//
//   2 hosts of 2 ranks and 2 links, bytes from A to B            at 0     0 -> 2 (2 bytes)   1 -> 3 (2)
//   0 has 2 for 2 and 1 for 3, 1 has 1 for 2 and 2 for 3         at 2     0 -> 3 (1 byte)    1 -> 2 (1)      length 3
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// Where a message occupies its ports for start_bytes more than it has. The seed decides among equally good
/// orders within hosts. Throws std::invalid_argument for start_bytes < 0, or if hosts are of another number
/// of ranks.
Schedule whole_messages_over_links(const std::shared_ptr<const Pattern>& pattern,
                                   const std::shared_ptr<const Hosts>& hosts, std::int64_t start_bytes,
                                   std::uint64_t seed);

}  // namespace rota
