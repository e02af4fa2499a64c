// The clock: native and Rota alternately.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contest.hpp"

namespace rota::bench {

/// What a call took.
struct Spent {
  double seconds = 0;            // of the slowest rank, from a barrier to the end of its call
  double met_seconds = 0;        // of the rank that began first, until all have ended and met
  double processor_seconds = 0;  // of all ranks together, in user and in system mode
};

/// The most of all ranks' numbers. Collective; the same on all ranks.
double most(double mine);

/// Collective. Throws std::runtime_error on all ranks where one of them says no.
void require_right(bool right, const std::string& what);

/// Collective; the same on all ranks.
Spent spent_by(const std::function<void()>& call);

/// The first half of that.
inline double seconds_of(const std::function<void()>& call) { return spent_by(call).seconds; }

/// Does this way of the contest's call give what it should on all ranks? Collective; the same on all ranks.
bool correct_after(const Contest& contest, const std::function<void()>& call);

/// The i-th of both were taken one right after the other, native first where i is even.
struct Times {
  std::vector<Spent> native;
  std::vector<Spent> rota;
};

/// Takes so many pairs of times. Collective; the same on all ranks.
Times timed_pairs(const Contest& contest, int pairs);

/// Does either way of the call give what it should on all ranks? Collective; the same on all ranks.
bool both_correct(const Contest& contest);

}  // namespace rota::bench
