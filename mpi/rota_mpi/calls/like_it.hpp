// What a call's try-out (communicators/try_outs.hpp) is made of: as many bytes as the call has, or about as many, and nobody's.
#pragma once

#include <cstdint>

#include "rota_mpi/communicators/try_outs.hpp"
#include "rota_mpi/way/native_call.hpp"

namespace rota::mpi {

/// Calls on more data are not tried out: the memory that a try-out takes the program does not know of, and it
/// may have little to spare.
constexpr std::int64_t most_tried_bytes = std::int64_t{64} << 20;

/// An equal share of so many bytes for each of so many ranks, so that all shares are of the bytes' size
/// class, to which what is tried out is to be of use.
inline std::int64_t share_of(std::int64_t bytes, std::int64_t ranks) {
  const std::int64_t below = bytes / ranks;
  return size_class_of(below * ranks) == size_class_of(bytes) ? below : below + 1;
}

}  // namespace rota::mpi
