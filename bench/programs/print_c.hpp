// A program as a C program, to be compiled and run by itself.
#pragma once

#include <string>

#include "lower.hpp"

namespace rota::programs {

std::string c_of(const Program& program, int ranks, const Library& library);

}  // namespace rota::programs
