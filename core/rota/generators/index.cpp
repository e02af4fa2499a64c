#include "rota/generators/index.hpp"

#include <algorithm>
#include <array>

#include "rota/bound.hpp"
#include "rota/generators/circulant_broadcast.hpp"

namespace rota {

namespace {

/// n - 1 + ceil(log2 p) rounds.
Pipeline round_optimal(Rank ranks) { return {1.0, static_cast<double>(ceil_log2(ranks) - 1)}; }

constexpr std::array all_algorithms{
    Algorithm{"circulant", Collective::broadcast, circulant_broadcast, round_optimal},
};

}  // namespace

std::span<const Algorithm> algorithms() { return all_algorithms; }

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
  const auto* const found = std::ranges::find_if(all_algorithms, [&](const Algorithm& algorithm) {
    return algorithm.collective == collective && algorithm.name == name;
  });
  return found == all_algorithms.end() ? nullptr : found;
}

}  // namespace rota
