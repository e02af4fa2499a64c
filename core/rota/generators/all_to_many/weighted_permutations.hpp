// All-to-many of unequal messages in the shortest time that there can be: permutations with lengths, messages in pieces.
//
// Statement   every byte is sent once; the lengths of the rounds, each as long as its longest piece, sum up to exactly the most
//             bytes that one rank sends, or receives. With a grain g, pieces are multiples of g but for the last one of a
//             message, and the sum is at most D g more than that
// Rounds      at most messages + 2 p, with a grain also at most (bytes / g) + D; fewer as a rule. Equal messages: D
// Bytes       each once
// Cost        that of weighted matchings (rota/matchings/weighted_matchings.hpp); equal messages: of exact permutations
// Needs       p >= 1; g >= 1
// Source      Gonzalez, Sahni 1976 (open shops with preemption); rounding up to a grain so that there are few pieces:
//             Crescenzi, Deng, Papadimitriou 2001
//
//   p = 3, bytes      to 0 1 2        round 0, 3 bytes   0 -> 1       1 -> 0   (2 idle)
//   of three ranks from 0  . 3 1      round 1, 1 byte    0 -> 2       2 -> 1   (1's message is through)
//                       1  3 . .      round 2, 1 byte    2 -> 1 again, in pieces if it must be
//                       2  . 2 .      length 5 = 3 + 2 bytes to rank 1
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The shortest: grain 1. The seed decides only among schedules for equal messages.
Schedule weighted_permutations(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

/// In multiples of `grain_bytes`. Throws std::invalid_argument unless grain_bytes >= 1.
Schedule grained_permutations(const std::shared_ptr<const Pattern>& pattern, std::int64_t grain_bytes);

}  // namespace rota
