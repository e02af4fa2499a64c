// The least that any schedule needs, and what a given one takes: the two numbers that stand side by side.
#pragma once

#include "rota/schedule.hpp"

namespace rota {

/// ceil(log2 ranks): the rounds that it takes one rank to reach, or to hear from, all others.
int ceil_log2(Rank ranks);

/// Rounds, and blocks through the busiest port (the larger of one rank's blocks sent and blocks received).
struct Effort {
  Round rounds = 0;
  std::int64_t port_blocks = 0;

  bool operator==(const Effort&) const = default;
};

/// No one-ported, full-duplex schedule achieves `problem` with less.
/// Broadcast and reduce of n blocks over p > 1 ranks: n - 1 + ceil(log2 p) rounds, n blocks (p = 1: nothing).
/// Source: paper 1, Section 1; shared by reduction because a reduction played backwards is a broadcast.
Effort lower_bound(const Problem& problem);

/// What the schedule takes, by asking every rank for every round: O(p rounds).
Effort effort(const Schedule& schedule);

}  // namespace rota
