// A series of operations by a plan: the same rounds in every period, each a matching of ports for so long.
//
// Statement   in `periods` periods as many operations begin as the plan has in one, each; all are over depth - 1
//             periods after the last of these. What arrives in a period is sent on, or used, in the next one
// Rounds      (periods + depth - 1) matchings, and lengths of as many periods
// Bytes       what the plan says: in the long run no schedule has a higher throughput (the plan proves it)
// Cost        of_rank: a rank's transfers and tasks in one period; a step: its blocks
// Needs       a plan whose matchings are matchings; verify tells
// Source      Legrand, Marchal, Robert 2005, Sections 3.3, 3.4 and 4.3
//
//   s -> a -> b, two links alike; one operation a period, two periods, depth 2
//
//     period 0   s -> a block 0                      the platform fills
//     period 1   s -> a block 1     a -> b block 0   steady state: both at once, s and b in one matching
//     period 2                      a -> b block 1   it empties
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rota/schedule/schedule.hpp"
#include "rota/schedule/series.hpp"

namespace rota {

/// In matching number `matching` of each period: `count` blocks of a message over a link, of operations that
/// began `stage` periods ago; they are the blocks first, first + 1, ... among those of their period.
struct PeriodicTransfer {
  Round matching = 0;
  Rank from = 0;
  Rank to = 0;
  Rank message = 0;
  Round stage = 0;
  BlockIndex first = 0;
  BlockIndex count = 0;
};

/// In each period: blocks of message `left` combined with those of message `right`, which they become.
struct PeriodicTask {
  Rank rank = 0;
  Rank left = 0;
  Rank right = 0;
  Round stage = 0;
  BlockIndex first = 0;
  BlockIndex count = 0;
};

/// One period. `blocks`: of each message, over all operations that begin in it.
struct Period {
  Rank ranks = 1;
  BlockIndex blocks = 1;
  std::shared_ptr<const Series> series;
  std::vector<std::int64_t> matching_lengths;
  std::vector<PeriodicTransfer> transfers;
  std::vector<PeriodicTask> tasks;

  /// How many periods an operation takes: one more than the last stage.
  Round depth() const;
};

/// Throws std::invalid_argument for periods < 1, blocks < 1, a period without matchings, and transfers and
/// tasks of what is no rank, matching or block of a period.
Schedule periodic(const std::shared_ptr<const Period>& period, Round periods);

}  // namespace rota
