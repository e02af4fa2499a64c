// An allreduce that is set up once and started again and again, beside blocking ones.
#pragma once

#include <cstddef>

#include "times.hpp"

namespace rota::bench {

/// What blocking calls and starts with MPI_Wait take in turns, natively and by Rota, so many of each, of so
/// many bytes. Collective. Throws std::runtime_error on all ranks where a result is wrong, or MPI has no such
/// calls.
TimesByWay persistent_allreduce(std::size_t bytes, int starts);

}  // namespace rota::bench
