// All-to-many in the fewest permutations that there can be: messages are edges from senders to receivers, rounds are colours.
//
// Statement   every message is sent once, whole; no schedule has fewer rounds
// Rounds      D, the most messages that one rank sends, or receives
// Bytes       each message once; where all messages have the same size, the rounds together are as long as the busiest
//             port's bytes, D times that size, so no schedule is shorter
// Cost        that of edge colouring, O(E log D) expected (rota/matchings/edge_colouring.hpp)
// Needs       p >= 1
// Source      König 1916; see rota/matchings/edge_colouring.hpp for the algorithm
//
//   p = 3, messages      to 0 1 2         round 0   0 -> 1   2 -> 0
//   of three ranks   from 0  . x x        round 1   0 -> 2   1 -> 0   2 -> 1
//                         1  x . .
//                         2  x x .        D = 2
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The same for the same seed, which decides among schedules of D rounds.
Schedule exact_permutations(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

}  // namespace rota
