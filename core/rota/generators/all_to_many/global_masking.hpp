// All-to-many by global masking (GM): greedy permutations. In each, every rank in turn, from a random one on, takes the first
// of its messages, from a random receiver on, whose receiver is still free.
//
// Statement   every message is sent once, whole, in the first permutation in which its turn comes while both ports are free
// Rounds      about D + log2 D where messages are spread at random; 2 D - 1 at most: a message that is not sent yet finds, in
//             each round, its sender or its receiver busy with another one of theirs
// Bytes       each message once
// Cost        O(rounds (p + messages left)) at most, for only messages that are left are looked at. The figure, which looks at
//             zeros too, takes O(rounds p^2) for the same schedule
// Needs       p >= 1
// Source      paper 2 (Ranka, Wang, Fox 1994), Figure 4. It leaves open where the search along a row begins: from receiver 0 on,
//             all want the same receivers, and there are 6 to 12 % more permutations than Tables 2 and 3 have; from a random
//             one on, as many as there
//
//   p = 3, messages      to 0 1 2       round 0, from row 0 on    0 -> 1   1 -> 0   2: both receivers are busy
//   of three ranks   from 0  . x x      round 1, from row 2 on    2 -> 0   0 -> 2   1: has none left
//                         1  x . .      round 2                   2 -> 1
//                         2  x x .      D = 2: two rounds would do
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The same for the same seed.
Schedule global_masking(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

}  // namespace rota
