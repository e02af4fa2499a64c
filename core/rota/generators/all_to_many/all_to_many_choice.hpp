// Fewer permutations or a shorter schedule, where every message costs a start as well as its bytes.
//
// In pieces, messages fill all ports without a gap, but each piece costs a start; whole messages cost the fewest starts, and
// leave gaps. Which is better depends on the pattern, and on how many bytes a start is worth: latency_s / seconds_per_byte.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "rota/model/cost.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

struct AllToManyChoice {
  std::string_view algorithm;
  std::int64_t grain_bytes = 0;  // of a weighted schedule, else 0
  Schedule schedule;
  double seconds = 0;        // unsynchronised
  double least_seconds = 0;  // no schedule takes less
};

/// Of the exact, the unsplit, and weighted schedules with grains of one byte and of 1, 4, 16 and 64 starts'
/// worth (over several links of at most 1000 messages), on hosts that ranks share if there are any, the one
/// that takes least by unsynchronised_seconds; an earlier one of those where several do, or where one takes
/// at most a hundredth more than the least that there is. The same for all ranks that ask with the same
/// pattern, hosts, network and seed. Throws std::invalid_argument for hosts of another number of ranks.
AllToManyChoice best_all_to_many(const std::shared_ptr<const Pattern>& pattern,
                                 const std::shared_ptr<const Hosts>& hosts, const Network& network,
                                 std::uint64_t seed);

}  // namespace rota
