// A computation, timed.
#pragma once

#include <chrono>
#include <cstdint>

namespace rota::bench {

struct Measured {
  double seconds;
  std::int64_t result;
};

/// How long `compute` takes; its result is kept, so that nothing is left out.
template <class Compute>
Measured measured(const Compute& compute) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t result = compute();
  return {.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          .result = result};
}

}  // namespace rota::bench
