// All-to-many without any schedule (AC): every rank sends what it has, one message after the other in the order of receivers,
// and receives what comes. Ranks that all send to the same receivers at the same time wait for one another.
//
// Statement   every message is sent once, whole. A receiver that is waited for takes whoever has waited longest, as a network
//             that only has bytes to carry would have it; so each port's messages get an order, which is the schedule
// Length      whatever it comes to: up to twice the bound and more, for a sender does not go round a busy receiver
// Rounds      only that order; the paper counts no permutations here, nor does rota
// Bytes       each message once
// Cost        O(E log p)
// Needs       p >= 1
// Source      paper 2 (Ranka, Wang, Fox 1994), Figure 2
//
//   p = 5, ranks 0 1 2 send to 3, then to 4, a byte each       sender 0   | to 3 | to 4 |
//   (for p = 8 alike)                                          sender 1          | to 3 | to 4 |
//                                                              sender 2                 | to 3 | to 4 |
//                                                              4 bytes of time, where the bound is 3
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The seed is of no consequence.
Schedule asynchronous_sends(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

}  // namespace rota
