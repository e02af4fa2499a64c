// All-to-many by linear permutation (LP): everybody exchanges with everybody else, in an order that is the same for all
// patterns; where there is no message, nothing is sent.
//
// Statement   every message is sent once, whole; in each round the ranks fall into pairs that exchange
// Rounds      p - 1 for even p, p for odd p: no pairwise exchange has fewer, for with odd p someone is left over each time.
//             Rounds without a message are counted, as in the paper
// Bytes       each message once
// Cost        O(messages log d + p): the round of a message is worked out from its two ranks
// Needs       p >= 1
// Source      paper 2 (Ranka, Wang, Fox 1994), Figure 3, for p a power of two: i meets i XOR k in round k - 1. Otherwise the
//             round-robin tournament: with m the odd one of p and p - 1, i meets j in round (i + j) mod m; for even p rank
//             p - 1 meets the one that would be left over, i in round 2 i mod m. The next power of two would take up to
//             twice as many rounds
//
//   p = 8, whom ranks 0 1 2 3 4 5 6 7 meet        p = 5
//   round 0   1 0 3 2 5 4 7 6                     round 0   . 4 3 2 1
//   round 1   2 3 0 1 6 7 4 5                     round 1   1 0 4 . 2
//   ...                                           ...
//   round 6   7 6 5 4 3 2 1 0                     round 4   4 3 . 1 0
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The seed is of no consequence.
Schedule linear_permutation(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

}  // namespace rota
