// The schedules of all p ranks at once, sharing work.
//
// Row k holds the blocks that ranks 0 … p - 1 receive in round k, and then once more those of ranks 0 …
// skip[k] - 1. As rank r sends what rank r + skip[k] receives, the send row is the same bytes read from
// skip[k] on, and costs nothing:
//
//   p = 5, q = 3, skip = 1 2 3      row 2:  -1 -1 -3  2  0 -1 -1 -3
//                                           receive ------         send -------
//
// Time: O(p q) bytes written, nearly all of them by copying or filling, plus at most q^2 / 2 single
// schedules. Memory: p (q + 2) bytes. Precondition: none but that of skips(). Source: the law that
// circulant_all_ranks.cpp states, derived from Algorithm 6 and Lemmas 3 and 4 of Träff (2024).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "rota/circulant/circulant.hpp"

namespace rota::circulant {

class AllSchedules {
 public:
  using Row = std::span<const std::int8_t>;

  explicit AllSchedules(const Skips& skips);

  const Skips& skips() const { return skips_; }

  // Entry r of each row belongs to rank r; 0 <= k < q.
  Row baseblocks() const { return {bytes_.get(), ranks()}; }
  Row receive(int k) const { return {row(k), ranks()}; }
  Row send(int k) const { return {row(k) + skips_[k], ranks()}; }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(skips_.ranks()); }
  std::int8_t* row(int k) const { return bytes_.get() + start_[static_cast<std::size_t>(k)]; }

  Skips skips_;
  std::array<std::int64_t, max_q + 1> start_{};
  std::unique_ptr<std::int8_t[]> bytes_;
};

}  // namespace rota::circulant
