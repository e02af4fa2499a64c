// A series of operations on a network whose links differ: where messages come from, and where they must get.
//
// The k-th message of every operation is called message k; Block{k, index} is its index-th block over all
// operations. A partial result is called by the last of the operands in it, so that combining v[k,l] and v[l+1,m]
// makes the block of message m: v[k,m].
//
//   reduce of v0 at a and v1 at b to c       origins (a, 0), (b, 1); delivery (c, 1): message 1, 0..1 combined
//   scatter from s to a and b                origins (s, 0), (s, 1); deliveries (a, 0) and (b, 1), as they were
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// `rank` has all blocks of a message, as contribution number `message`.
struct Origin {
  Rank rank = 0;
  Rank message = 0;
};

/// `rank` must get all blocks of a message, with the contributions first..last combined in order.
struct Delivery {
  Rank rank = 0;
  Rank message = 0;
  Rank first = 0;
  Rank last = 0;
};

struct Series {
  std::vector<Origin> origins;
  std::vector<Delivery> deliveries;

  /// How long a block occupies the ports at both ends of a link in a round, in units of the rounds' lengths;
  /// empty where rounds have none. (Which partial result of message m a block is, its round tells: they may
  /// differ in size.)
  std::function<std::int64_t(Round round, Rank from, Rank to, Block block)>
      block_time{};  // NOLINT(readability-redundant-member-init): GCC takes it for forgotten
};

}  // namespace rota
