// Random numbers that are the same with every compiler and on every rank: SplitMix64 (Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

namespace rota::check {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
  }

  /// A number from 0 to limit - 1, for a small positive limit: the bias is below limit / 2^64.
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(limit));
  }

  std::int64_t between(std::int64_t least, std::int64_t most) { return least + below(most - least + 1); }

  /// True once in so many times.
  bool once_in(std::int64_t times) { return below(times) == 0; }

 private:
  std::uint64_t state_;
};

/// A stream of its own for each pair of numbers.
inline Random random_of(std::uint64_t seed, std::uint64_t stream) {
  return Random(Random(seed).next() ^ Random(~stream).next());
}

}  // namespace rota::check
