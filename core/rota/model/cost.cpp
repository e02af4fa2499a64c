#include "rota/model/cost.hpp"

#include <algorithm>
#include <cmath>

namespace rota {

namespace {

double seconds_per_byte(const Pipeline& pipeline, const Network& network) {
  return network.seconds_per_byte + pipeline.combined_part * network.seconds_per_combined_byte;
}

/// Of one block; of more, as many times less.
double spread_seconds(const Pipeline& pipeline, const Network& network) {
  return pipeline.spread_bytes * seconds_per_byte(pipeline, network) +
         pipeline.silent_spread_bytes * network.seconds_per_combined_byte;
}

}  // namespace

double predicted_seconds(const Pipeline& pipeline, const Network& network, BlockIndex blocks) {
  const auto n = static_cast<double>(blocks);
  const double rounds =
      (pipeline.per_block + pipeline.silent_per_block) * n + pipeline.fixed + pipeline.silent_fixed;
  return rounds * network.latency_s + pipeline.bytes * seconds_per_byte(pipeline, network) +
         spread_seconds(pipeline, network) / n;
}

BlockIndex best_blocks(const Pipeline& pipeline, const Network& network, BlockIndex most) {
  const double per_block_s = (pipeline.per_block + pipeline.silent_per_block) * network.latency_s;
  const double spread_s = spread_seconds(pipeline, network);
  if (spread_s <= 0) return 1;
  const double ideal = per_block_s > 0 ? std::sqrt(spread_s / per_block_s) : static_cast<double>(most);
  return std::clamp(static_cast<BlockIndex>(std::min(std::round(ideal), 9e18)), BlockIndex{1},
                    std::max<BlockIndex>(1, most));
}

BlockIndex blocks_for_messages(const Pipeline& pipeline, double message_bytes) {
  // bytes + spread_bytes / n <= message_bytes (per_block n + fixed), solved for n.
  const double square = message_bytes * pipeline.per_block;
  if (square <= 0) return 1;
  const double linear = message_bytes * pipeline.fixed - pipeline.bytes;
  const double root = std::sqrt(linear * linear + 4 * square * pipeline.spread_bytes);
  // Less a rounding error, so that what divides evenly does.
  return std::max<BlockIndex>(
      1, static_cast<BlockIndex>(std::ceil((root - linear) / (2 * square) * (1 - 1e-12))));
}

}  // namespace rota
