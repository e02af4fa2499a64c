// All-to-many of unequal messages, each sent whole, so that ports are rarely idle: whenever a sender and a receiver are free
// that have a message between them, one starts; the one whose ports have most left to do. Where the fewest permutations, played
// without synchronisation, are through earlier, as with messages of about one size, it is these.
//
// Statement   every message is sent once, whole. Without synchronisation between rounds, the last message, of w bytes from rank i
//             to rank j, is through after at most sent(i) + received(j) - w bytes, less than twice the bound: until it
//             starts, i or j is busy with others all the time. Equal messages: exactly the bound
// Length      within 1.5 % of the bound in the mean of random patterns of 16 ranks and more, sizes over five orders of
//             magnitude (tests/core/test_all_to_many.cpp); the shortest possible is NP-hard to find
// Rounds      D or more: a round says only in which order a port's messages come, and has no length of its own
// Bytes       those of the pattern: each message's once, from its sender's port to its receiver's
// Cost        O(E d) for d messages a rank: a port that becomes free looks at all messages that it has left; and that of
//             exact permutations
// Needs       p >= 1
// Source      list scheduling of open shops: Racsmány's bound, in Bárány, Fiala 1982; longest remaining work first: Pinedo,
//             "Scheduling", Section 8.2
//
//   p = 3, bytes      to 0 1 2     sender 0   | 3 to 1  | 1 to 2 |
//   of three ranks from 0  . 3 1   sender 1   | 3 to 0  |                length 5: rank 1 receives 3 + 2
//                       1  3 . .   sender 2             | 2 to 1 |
//                       2  . 2 .
#pragma once

#include <cstdint>
#include <memory>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The seed is of no consequence.
Schedule unsplit_messages(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed);

/// Where a message occupies its ports for start_bytes more than it has. Throws std::invalid_argument for
/// start_bytes < 0.
Schedule unsplit_messages_with_start(const std::shared_ptr<const Pattern>& pattern, std::int64_t start_bytes);

}  // namespace rota
