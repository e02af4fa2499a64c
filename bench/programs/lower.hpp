// From a program to the calls of one of its ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "call.hpp"
#include "model.hpp"
#include "program.hpp"

namespace rota::programs {

struct Place {
  int rank = 0;
  int ranks = 1;
  int thread = 0;
};

/// The calls of a thread on a rank.
struct Lowered {
  std::vector<std::vector<Call>> steps;  // those that end it last
  std::int64_t memory = 0;               // in bytes
};

Lowered lowered(const Steps& steps, const Place& place, const Library& library);

}  // namespace rota::programs
