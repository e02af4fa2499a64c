// Costs that Python gives.
#pragma once

#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace rota {

/// Throws std::invalid_argument for a cost below 0 or without bound.
inline void require_costs(const char* whose, std::initializer_list<double> costs) {
  for (const double cost : costs) {
    if (!std::isfinite(cost) || cost < 0) {
      throw std::invalid_argument(whose + (" cost is " + std::to_string(cost)) + "; give 0 or more");
    }
  }
}

}  // namespace rota
