// Patterns for the tests of all-to-many schedules.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "require.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/pattern.hpp"

using SharedPattern = std::shared_ptr<const rota::Pattern>;

/// Each pair of ranks has a message with this probability, of a size between 1 and `most` bytes, evenly in
/// its logarithm.
inline SharedPattern random_pattern(rota::Rank ranks, double density, double most, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<rota::Shipment> shipments;
  for (rota::Rank from = 0; from < ranks; ++from) {
    for (rota::Rank to = 0; to < ranks; ++to) {
      if (uniform(random) < density)
        shipments.push_back({from, to, static_cast<std::int64_t>(std::pow(most, uniform(random)))});
    }
  }
  return std::make_shared<const rota::Pattern>(ranks, shipments);
}

inline void require_correct(const rota::Schedule& schedule, const std::string& what) {
  const std::vector<rota::Violation> violations = rota::verify(schedule);
  require(violations.empty(), what + ": " + (violations.empty() ? std::string() : violations[0].fault));
}
