// The call of a plan, by the MPI library or by Rota.
#pragma once

#include <cstdint>

#include "plan.hpp"

namespace rota::check {

enum class Library : std::uint8_t { native, rota };

/// What a call left behind.
struct Aftermath {
  int code;
  Bytes send;
  Bytes receive;
};

/// Calls on copies of the plan's memory.
Aftermath call(Library library, const Plan& plan);

}  // namespace rota::check
