// What a call must leave behind by MPI's own definition, for where the native library gets it wrong.
#pragma once

#include <cstdint>

#include "calls.hpp"
#include "plan.hpp"

namespace rota::check {

/// As if this rank had all ranks' data, which it can make, and combined it from rank 0 upwards. Local;
/// O(ranks) calls' data.
Aftermath by_definition(const Plan& plan);

}  // namespace rota::check
