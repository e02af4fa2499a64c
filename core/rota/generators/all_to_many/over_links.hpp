// All-to-many where ranks share hosts of several links: rounds in which each host sends so many messages at once as it has links, and each
// rank one, for just as long as the busiest host, or the busiest rank, must be at it.
//
// Statement   every byte is sent once; in each round at most k messages leave a host of k links, and at most k come to it, of as many ranks
// Length      without synchronisation, as between rounds: the most bytes that a rank has for other hosts or receives from them, or the most
//             that leave or come to a host, over k and rounded up, whichever is more; no schedule is shorter. With a grain g at most 2 d g
//             more, of d messages of that rank, or over k of that host
// Rounds      at most messages + 2 p + 2 k H, with a grain at most the length in grains; and the most messages of a rank within its host
// Bytes       each once
// Cost        that of grouped matchings (rota/matchings/grouped_matchings.hpp), and of colouring the messages within hosts
// Needs       p >= 1; any hosts
// Source      Rota; as in weighted_permutations.hpp
//
//   2 hosts of 2 ranks and 2 links, bytes from A to B            rounds   0 -> 2, 1 -> 3 (2 bytes)   0 -> 3, 1 -> 2 (1 byte)
//   0 has 2 for 2 and 1 for 3, 1 has 1 for 2 and 2 for 3                  length 3: one link would take 6
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// How long it takes at the least, in bytes that pass one link. Throws std::invalid_argument if hosts are of
/// another number of ranks.
std::int64_t bytes_over_links(const Pattern& pattern, const Hosts& hosts);

/// Messages are cut in multiples of `grain_bytes`; the seed decides among equally good orders within hosts.
/// Throws std::invalid_argument unless grain_bytes >= 1, or if hosts are of another number of ranks.
Schedule all_to_many_over_links(const std::shared_ptr<const Pattern>& pattern,
                                const std::shared_ptr<const Hosts>& hosts, std::int64_t grain_bytes,
                                std::uint64_t seed);

}  // namespace rota
