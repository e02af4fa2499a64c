// Algorithms 2 and 3 of Träff (2024) exactly as they are printed: the skips of p ranks, and baseblocks.
//
// skip[q] = p and skip[k - 1] = ceil(skip[k] / 2), down to skip[0] = 1, in q = ceil(log2 p) steps. The baseblock
// of r is the last skip of the greedy sum, largest first, that makes r; that of 0 is q. O(log p).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rota/schedule/types.hpp"

namespace rota::bench::straightforward {

inline constexpr int max_q = 31;

// The skips of p ranks, p >= 1.
class Skips {
 public:
  explicit Skips(Rank p);

  int q() const { return q_; }
  std::int64_t p() const { return skip_[static_cast<std::size_t>(q_)]; }

  // Skip k of 0..q.
  std::int64_t operator[](int k) const { return skip_[static_cast<std::size_t>(k)]; }

  int baseblock(std::int64_t r) const;

 private:
  int q_ = 0;
  std::array<std::int64_t, max_q + 1> skip_{};
};

}  // namespace rota::bench::straightforward
