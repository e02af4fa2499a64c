// The linear cost model: what a pipelined schedule takes, and the number of blocks that makes it fastest.
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// A network as the model sees it: a message of m bytes takes latency_s + m * seconds_per_byte; to combine m
/// bytes takes m * seconds_per_combined_byte.
struct Network {
  double latency_s = 0;
  double seconds_per_byte = 0;
  double seconds_per_combined_byte = 0;
};

/// What the busiest rank of a schedule goes through, as a function of the number n of blocks:
/// per_block n + fixed rounds, and bytes + spread_bytes / n bytes, of which a part is combined. Where all
/// rounds are alike and carry m / n bytes, bytes is per_block m and spread_bytes is fixed m. There may be
/// silent rounds besides, silent_per_block n + silent_fixed of them, within hosts. Their bytes pass no link
/// and count for nothing, but for what more blocks make less: silent_spread_bytes / n, which ranks of a host
/// wait for one after the other. Within a host a byte takes as long as to combine it, for both are memory's
/// work.
struct Pipeline {
  double per_block = 1;
  double fixed = 0;
  double bytes = 0;
  double spread_bytes = 0;
  double combined_part = 0;
  double silent_per_block = 0;
  double silent_fixed = 0;
  double silent_spread_bytes = 0;
};

/// A pipeline whose rounds are all alike: per_block n + fixed of them, each with m / n of the m bytes.
constexpr Pipeline even_pipeline(double per_block, double fixed, double bytes) {
  return {per_block, fixed, per_block * bytes, fixed * bytes};
}

/// Seconds for the data in `blocks` blocks.
double predicted_seconds(const Pipeline& pipeline, const Network& network, BlockIndex blocks);

/// The number n >= 1 of blocks that makes predicted_seconds least, at most `most` (the bytes or items to be
/// cut). rounds * latency + bytes * seconds_per_byte has its one minimum at n^2 = spread_bytes *
/// seconds_per_byte / (per_block * latency).
BlockIndex best_blocks(const Pipeline& pipeline, const Network& network, BlockIndex most);

/// The least number n >= 1 of blocks for which a message has `message_bytes` at most in the mean of all
/// rounds; 1 where more blocks make no smaller messages. Throws nothing; `message_bytes` > 0.
BlockIndex blocks_for_messages(const Pipeline& pipeline, double message_bytes);

}  // namespace rota
