// Random programs.
#pragma once

#include <cstdint>

#include "lower.hpp"
#include "program.hpp"

namespace rota::programs {

/// Program `number` of a seed for so many ranks: the same on every rank. With threads if MPI is begun so;
/// without what the MPI library is known to fail at.
Program generated(std::uint64_t seed, std::int64_t number, int ranks, bool is_multiple,
                  const Library& library);

}  // namespace rota::programs
