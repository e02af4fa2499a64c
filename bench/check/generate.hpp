// Random cases.
#pragma once

#include <cstdint>

#include "case.hpp"

namespace rota::check {

/// Case `number` of a seed for so many ranks: the same on every rank and with every MPI.
Case generated(std::uint64_t seed, std::int64_t number, int ranks);

}  // namespace rota::check
