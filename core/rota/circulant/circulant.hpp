// The circulant graph and its broadcast schedules, one rank at a time.
//
// Among p ranks, q = ceil(log2 p), rank r sends in round i to r + skip[k] and receives from r - skip[k] (mod
// p), where k = i mod q. Which blocks those are, the two schedules of a rank say: rank 0, the root, sends
// block k in round k; a rank receives its first real block, its baseblock b, in one of the first q rounds,
// and blocks counted from below zero, b - q left out, in the others. Every q rounds later all numbers have
// grown by q, so that n blocks have reached all ranks after the least possible n - 1 + q rounds.
//
//   p = 9, q = 4, skip = 1 2 3 5 (9)
//
//   rank       0  1  2  3  4  5  6  7  8         root --- + 2 --→ 2 --- + 5 --→ 7      7 = skip[1] + skip[3]
//   baseblock  4  0  1  2  0  3  0  1  2              round 1        round 3           gets block 1 in round 3
//
// Complexity: O(q) time for each function, nothing allocated, p up to 2^31 - 1.
// Source: Träff, "Optimal Broadcast Schedules in Logarithmic Time", 2024, Sections 2.1 to 2.3 (Algorithms 2 to 6).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rota/schedule/types.hpp"

namespace rota::circulant {

inline constexpr int max_q = 31;

// at[k] for k < q are the skips, at[q] = p. The rest is `unreachable`, so that searches need no bound.
struct Skips {
  static constexpr std::int64_t unreachable = std::int64_t{1} << 40;

  int q;
  std::array<std::int64_t, max_q + 2> at;
  std::array<int, max_q + 1> odd;  // odd[k]: how many of skip[0] … skip[k] are odd

  std::int64_t operator[](int k) const { return at[static_cast<std::size_t>(k)]; }
  Rank ranks() const { return static_cast<Rank>((*this)[q]); }

  // The neighbours of rank r in rounds k, k + q, k + 2q, …
  Rank to(Rank r, int k) const { return wrapped(r + (*this)[k] - ranks()); }
  Rank from(Rank r, int k) const { return wrapped(r - (*this)[k]); }

  // r mod p for -p <= r < p, without a division: schedules ask for neighbours in every round.
  Rank wrapped(std::int64_t r) const { return static_cast<Rank>(r < 0 ? r + ranks() : r); }

  // How many ranks from skip[m] on receive in round k < m a block that only a search finds (the law in
  // circulant.cpp).
  std::int64_t seam_width(int m, int k) const {
    const int lacking = odd[static_cast<std::size_t>(m)] - odd[static_cast<std::size_t>(k)];
    return lacking == 0 ? 0 : std::min<std::int64_t>(lacking + 1, (*this)[k]);
  }
};

// The block of each round 0 … q - 1.
struct Schedule {
  int q;
  std::array<std::int8_t, max_q> block;

  std::int8_t operator[](int k) const { return block[static_cast<std::size_t>(k)]; }
  std::int8_t& operator[](int k) { return block[static_cast<std::size_t>(k)]; }
  const std::int8_t* begin() const { return block.data(); }
  const std::int8_t* end() const { return block.data() + q; }
};

// Throws std::invalid_argument unless p >= 1. The functions below expect 0 <= r < p.
Skips skips(Rank p);

// The index of the smallest skip in the canonical sum of skips for r; q for the root.
int baseblock(const Skips& skips, Rank r);

Schedule receive_schedule(const Skips& skips, Rank r);
Schedule send_schedule(const Skips& skips, Rank r);

// The same schedules computed as the paper proves them right, by Algorithm 4's whole search and Algorithm 6,
// with what the paper bounds. Lemma 6 says 2q + recursive_calls iterations; that is exceeded from p = 257 on
// (rank 2: 25 where it allows 24), while 3q + recursive_calls held wherever it was tried.
struct CountedReceive {
  Schedule schedule;
  int recursive_calls;  // Lemma 5: at most q - 1
  int iterations;
};
struct CountedSend {
  Schedule schedule;
  int violations;  // Theorem 3: at most 4
};
CountedReceive counted_receive_schedule(const Skips& skips, Rank r);
CountedSend counted_send_schedule(const Skips& skips, Rank r);

}  // namespace rota::circulant
