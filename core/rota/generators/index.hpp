// All generators by name: whoever shows, verifies, simulates or chooses a schedule finds it here.
// A new algorithm is a new file in this folder and one line in index.cpp.
#pragma once

#include <span>
#include <string_view>

#include "rota/cost.hpp"
#include "rota/schedule.hpp"

namespace rota {

struct Algorithm {
  std::string_view name;
  Collective collective;
  Schedule (*schedule)(const Problem&);
  Pipeline (*pipeline)(Rank ranks);  // its rounds, without asking for the schedule
};

/// Every algorithm.
std::span<const Algorithm> algorithms();

/// The algorithm of that name for that collective, or nullptr.
const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace rota
