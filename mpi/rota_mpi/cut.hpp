// How the packed data is cut into blocks.
//
// Ranks may describe the same data with different types and counts, but its packed bytes are the same on all
// of them: only those are cut, never items of a local type.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rota::mpi {

/// The bytes first..last - 1 of the packed data.
struct ByteRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t size() const { return last - first; }
  bool overlaps(ByteRange other) const { return first < other.last && other.first < last; }
};

/// `bytes` in blocks of `block_bytes`, the last one shorter where it does not come out even.
struct Cut {
  std::int64_t bytes = 0;
  std::int64_t block_bytes = 1;

  std::int64_t blocks() const { return (bytes + block_bytes - 1) / block_bytes; }
  ByteRange range(std::int64_t block) const {
    return {block * block_bytes, std::min(bytes, (block + 1) * block_bytes)};
  }
};

}  // namespace rota::mpi
