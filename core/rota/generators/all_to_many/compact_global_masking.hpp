// All-to-many by compact global masking (CGM): greedy permutations over rows that are kept compact, and in random order.
//
// Statement   every message is sent once, whole. In each permutation every rank in turn, from a random one on, takes the first
//             message in its row whose receiver is still free; the row's last message moves into its place
// Rounds      about D + log2 D where messages are spread at random; 2 D - 1 at most, as for global masking
// Bytes       each message once
// Cost        O(p d ln d) expected for d messages a rank; p x p is nowhere touched, since the pattern is sparse already
// Needs       p >= 1
// Source      paper 2 (Ranka, Wang, Fox 1994), Figures 5 and 6
//
//   p = 8, row of one rank, shuffled       5 2 7 1        (receivers)
//   2 is taken, for 5 is busy              5 1 7          1 moves into its place
//   5 is taken                             7 1
//
// For awkward p nothing changes: rows are taken modulo p.
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The same for the same seed.
Schedule compact_global_masking(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

}  // namespace rota
