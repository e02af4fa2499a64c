// The linear cost model: what a pipelined schedule takes, and the number of blocks that makes it fastest.
#pragma once

#include "rota/schedule.hpp"

namespace rota {

/// A network as the model sees it: a message of m bytes takes latency_s + m * seconds_per_byte.
struct Network {
  double latency_s = 0;
  double seconds_per_byte = 0;
};

/// The rounds of a schedule as a function of its number n of blocks: per_block * n + fixed.
struct Pipeline {
  double per_block = 1;
  double fixed = 0;
};

/// Seconds for `bytes` in `blocks` equal blocks, all rounds alike.
double predicted_seconds(const Pipeline& pipeline, const Network& network, double bytes, BlockIndex blocks);

/// The number n >= 1 of blocks that makes predicted_seconds least, no block smaller than a byte.
/// (per_block n + fixed)(latency + bytes/n * seconds_per_byte) has its one minimum at
/// n^2 = fixed * bytes * seconds_per_byte / (per_block * latency).
BlockIndex best_blocks(const Pipeline& pipeline, const Network& network, double bytes);

}  // namespace rota
