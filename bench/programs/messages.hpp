// Messages between neighbours: which side of them begins at once, and which when a step completes them.
#pragma once

#include "program.hpp"

namespace rota::programs {

constexpr bool is_message(Action action) {
  return action == Action::exchange || action == Action::exchange_init;
}

constexpr bool sends_late(const Step& step) { return step.action == Action::exchange && step.way % 2 == 1; }

constexpr bool receives_late(const Step& step) {
  return step.action == Action::exchange && step.way % 4 == 2;
}

/// Does the receiver take any message?
constexpr bool takes_any(const Step& step) {
  return step.action == Action::exchange && (step.way % 4 == 1 || step.way % 4 == 2);
}

/// Of a slot, the first of its two requests in a thread's table.
constexpr std::int64_t first_request_of(int slot) { return 2 * std::int64_t{slot}; }

}  // namespace rota::programs
