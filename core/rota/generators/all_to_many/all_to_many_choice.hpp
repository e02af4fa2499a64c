// Fewer permutations or a shorter schedule, where every message costs a start as well as its bytes.
//
// In pieces, messages fill all ports without a gap, but each piece costs a start; whole messages cost the fewest starts, and
// leave gaps. Which is better depends on the pattern, and on how many bytes a start is worth: latency_s / seconds_per_byte.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "rota/model/cost.hpp"
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
/// worth, the one that takes least by unsynchronised_seconds; an earlier one of those where several do. The
/// same for all ranks that ask with the same pattern, network and seed.
AllToManyChoice best_all_to_many(const std::shared_ptr<const Pattern>& pattern, const Network& network,
                                 std::uint64_t seed);

}  // namespace rota
