// What a call's try-out (communicators/try_outs.hpp) is made of: as many bytes as the call has, or hardly more, and nobody's.
#pragma once

#include <cstdint>

#include "rota_mpi/communicators/try_outs.hpp"
#include "rota_mpi/way/native_call.hpp"

namespace rota::mpi {

/// Calls on more data are not tried out: nobody makes hundreds of them.
constexpr std::int64_t most_tried_bytes = std::int64_t{1} << 30;

/// An equal share of them for each of so many ranks, rounded up.
constexpr std::int64_t share_of(std::int64_t bytes, std::int64_t ranks) {
  return (bytes + ranks - 1) / ranks;
}

}  // namespace rota::mpi
