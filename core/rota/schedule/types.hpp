// Whole numbers by their meaning.
#pragma once

#include <cstdint>

namespace rota {

// A process among p: 0 <= rank < p. Also counts of ranks, since p <= 2^31 - 1.
using Rank = std::int32_t;

}  // namespace rota
