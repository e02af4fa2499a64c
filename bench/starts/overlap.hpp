// How much of a collective that returns at once is hidden behind computation.
#pragma once

#include "calls.hpp"
#include "times.hpp"

namespace rota::bench {

/// What native and Rota's forms of a call take in turns, of so many repetitions each. Collective. Throws
/// std::runtime_error on all ranks where a result is wrong.
TimesByWay overlap_of(const Measured& call, int repetitions);

}  // namespace rota::bench
