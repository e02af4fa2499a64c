// What one rank may do differently from the others, and still legally.
#pragma once

#include <cstdint>

#include "program.hpp"

namespace rota::programs {

enum class Odd : std::uint8_t {
  no,
  same,    // an equal type by another name
  bottom,  // MPI_BOTTOM and a type of absolute addresses
  whole,   // one item that is all of it
  null,    // where it has no bytes, a null buffer and count 0
  empty,   // where it has no bytes, a null buffer and items of an empty type
};

constexpr int odd_ways = 8;

/// `at` is odd in the second way that `odd` may name the same, too: 6 and 7 are `same` with the other name,
/// and `bottom`.
constexpr Odd odd_of(const Step& step) {
  const int way = step.odd % odd_ways;
  if (way == 6) return Odd::same;
  return way == 7 ? Odd::bottom : static_cast<Odd>(way);
}

constexpr bool is_odd(const Step& step, int rank, int size) {
  return step.odd % odd_ways != 0 && step.at % size == rank;
}

constexpr bool has_nothing(const Step& step, int rank, int size) {
  return is_odd(step, rank, size) && (odd_of(step) == Odd::null || odd_of(step) == Odd::empty);
}

}  // namespace rota::programs
