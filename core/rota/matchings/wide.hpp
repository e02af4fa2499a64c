// Unsigned integers of 2048 bits: the times in a period of a steady state, which is a least common multiple of
// many numbers. No more than what taking weights apart needs: sums, differences, order.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace rota {

/// Throws std::overflow_error where a result lies outside of 0..2^2048 - 1.
class Wide {
 public:
  static constexpr std::size_t limbs = 32;

  Wide() = default;
  Wide(std::uint64_t value) { limbs_[0] = value; }  // as integers convert

  /// The limbs from the lowest; at most `limbs` of them.
  explicit Wide(std::span<const std::uint64_t> from_lowest) {
    if (from_lowest.size() > limbs) throw std::overflow_error("a number of more than 2048 bits");
    for (std::size_t i = 0; i < from_lowest.size(); ++i) limbs_[i] = from_lowest[i];
  }

  std::span<const std::uint64_t, limbs> from_lowest() const { return limbs_; }

  Wide& operator+=(const Wide& other) {
    bool carry = false;
    for (std::size_t i = 0; i < limbs; ++i) {
      const std::uint64_t sum = limbs_[i] + other.limbs_[i];
      const std::uint64_t with_carry = sum + (carry ? 1 : 0);
      carry = sum < limbs_[i] || with_carry < sum;
      limbs_[i] = with_carry;
    }
    if (carry) throw std::overflow_error("a sum of more than 2048 bits");
    return *this;
  }

  Wide& operator-=(const Wide& other) {
    bool borrow = false;
    for (std::size_t i = 0; i < limbs; ++i) {
      const std::uint64_t difference = limbs_[i] - other.limbs_[i];
      const std::uint64_t with_borrow = difference - (borrow ? 1 : 0);
      borrow = difference > limbs_[i] || with_borrow > difference;
      limbs_[i] = with_borrow;
    }
    if (borrow) throw std::overflow_error("a difference below 0");
    return *this;
  }

  friend Wide operator+(Wide left, const Wide& right) { return left += right; }
  friend Wide operator-(Wide left, const Wide& right) { return left -= right; }

  bool operator==(const Wide&) const = default;

  std::strong_ordering operator<=>(const Wide& other) const {
    for (std::size_t i = limbs; i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] <=> other.limbs_[i];
    }
    return std::strong_ordering::equal;
  }

 private:
  std::array<std::uint64_t, limbs> limbs_{};
};

}  // namespace rota
