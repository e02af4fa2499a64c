#include "rota/cost.hpp"

#include <algorithm>
#include <cmath>

namespace rota {

double predicted_seconds(const Pipeline& pipeline, const Network& network, double bytes, BlockIndex blocks) {
  const auto n = static_cast<double>(blocks);
  return (pipeline.per_block * n + pipeline.fixed) *
         (network.latency_s + bytes / n * network.seconds_per_byte);
}

BlockIndex best_blocks(const Pipeline& pipeline, const Network& network, double bytes) {
  const double ideal =
      std::sqrt(pipeline.fixed * bytes * network.seconds_per_byte / (pipeline.per_block * network.latency_s));
  return static_cast<BlockIndex>(std::clamp(std::round(ideal), 1.0, std::max(1.0, bytes)));
}

}  // namespace rota
