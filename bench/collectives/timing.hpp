// The clock: native and Rota alternately.
#pragma once

#include <functional>
#include <vector>

#include "contest.hpp"

namespace rota::bench {

/// Seconds of the slowest rank, from a barrier to the end of its call. Collective; the same on all ranks.
double seconds_of(const std::function<void()>& call);

/// Does this way of the contest's call give what it should on all ranks? Collective; the same on all ranks.
bool correct_after(const Contest& contest, const std::function<void()>& call);

/// Seconds of the slowest rank, from a barrier to the end of its call. The i-th of both were taken one right
/// after the other, native first where i is even.
struct Times {
  std::vector<double> native_s;
  std::vector<double> rota_s;
};

/// Takes so many pairs of times. Collective; the same on all ranks.
Times timed_pairs(const Contest& contest, int pairs);

/// Does either way of the call give what it should on all ranks? Collective; the same on all ranks.
bool both_correct(const Contest& contest);

}  // namespace rota::bench
