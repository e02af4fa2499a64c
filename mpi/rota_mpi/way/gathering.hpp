// What ranks tell each other of a call in its turn, without waiting for anybody: rounds that are played before the call's own.
//
// An allgather of few bytes, by the circulant schedule: ceil(log2 p) rounds (paper 1).
#pragma once

#include <cstdint>
#include <vector>

#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// Every rank gets `bytes[r]` bytes of each rank r, which lie in `memory`, one rank's after the other's.
/// Throws MpiError, std::bad_alloc.
Prepared gathering(void* memory, const std::vector<std::int64_t>& bytes, Rank rank, const Self& self);

/// The same where each has one item of a vector.
template <class Item>
Prepared gathering(std::vector<Item>& items, Rank rank, const Self& self) {
  return gathering(items.data(), std::vector<std::int64_t>(items.size(), sizeof(Item)), rank, self);
}

}  // namespace rota::mpi
