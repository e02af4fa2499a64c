// Schedules in which all ranks do the same, each so many ranks further on: one rank's steps tell all others'.
//
// A schedule among p ranks *rotates* if for all ranks r and rounds i the step of rank r is that of rank 0,
// rotated by r: r is added (mod p) to every peer and to the owner of every block, and indices stay; what
// arrives is combined on r if it is on rank 0 (from the left or from the right, that depends on which of two
// ranks is the higher, and says nothing of cost); and no rank combines blocks within itself.
//
//   p = 5, circulant allgather, round 2:   rank 0   0 3 -> 3    1 2 <- 2
//                                          rank 1   1 4 -> 4    2 3 <- 3
//                                          rank 4   4 2 -> 2    0 1 <- 1
//
// A schedule played backwards rotates if it does, and so do two that do, one after the other. A generator that
// says so (Schedule::symmetry) says why beside it; rotation_fault checks it, for all ranks of a small p, for
// some of a large one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// Rank (rank + by) mod ranks, for 0 <= rank, by < ranks.
constexpr Rank rotated(Rank rank, Rank by, Rank ranks) {
  return rank < ranks - by ? rank + by : rank - (ranks - by);
}

/// The step with `by` added to peers and owners: what rank `by` does where rank 0 takes `step`.
Step rotated(const Step& step, Rank by, Rank ranks);

/// Alike in everything that rotations are about, and without combinations?
bool are_alike(const Step& one, const Step& other);

/// The first of these ranks and its first round that differ from rank 0's, rotated, in a line; nullopt: none.
/// Time and memory: all steps of rank 0 and of these ranks.
std::optional<std::string> rotation_fault(const Schedule& schedule, std::span<const Rank> ranks);

}  // namespace rota
