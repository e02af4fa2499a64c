// Carries out a rank's calls and tells what it saw.
#pragma once

#include <cstdint>

#include "lower.hpp"

namespace rota::programs {

/// What the MPI library that this is compiled for has.
Library library();

/// Carries out a program, whose threads run at once; a number for everything seen on this rank.
std::uint64_t carried_out(const Program& program, int rank, int ranks);

}  // namespace rota::programs
