// How data is cut into blocks.
//
// Ranks may describe the same data with different types and counts, but its packed bytes are the same on all
// of them: only those are cut, never items of a local type. Reductions are cut between items, of which there
// are equally many on all ranks.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rota::mpi {

/// The units (bytes or items) first..last - 1.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t size() const { return last - first; }
};

/// `units` in `blocks` blocks whose sizes differ by one at most.
struct Cut {
  std::int64_t units = 0;
  std::int64_t blocks = 1;

  std::int64_t first(std::int64_t block) const {
    return block * (units / blocks) + std::min(block, units % blocks);
  }
  Range range(std::int64_t block) const { return {first(block), first(block + 1)}; }
};

}  // namespace rota::mpi
