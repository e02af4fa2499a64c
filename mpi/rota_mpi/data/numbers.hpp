// An array of counts or displacements of MPI's, whichever kind of integers it is of.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rota/schedule/types.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// A view of the program's array: of int, or of 64 bits.
class Numbers {
 public:
  Numbers() = default;
  template <std::signed_integral Integer>
  Numbers(const Integer* array) : array_(array), is_wide_(sizeof(Integer) == sizeof(MPI_Count)) {
    static_assert(sizeof(Integer) == sizeof(MPI_Count) || sizeof(Integer) == sizeof(int));
  }

  bool is_null() const { return array_ == nullptr; }
  const void* address() const { return array_; }

  MPI_Count operator[](Rank position) const {
    if (!is_wide_) return static_cast<const int*>(array_)[position];
    MPI_Count number = 0;
    constexpr std::ptrdiff_t bytes = sizeof number;
    std::memcpy(&number, static_cast<const std::byte*>(array_) + position * bytes, sizeof number);
    return number;
  }

  /// The sum of the first so many; of no array 0.
  MPI_Count sum(Rank number) const {
    MPI_Count result = 0;
    for (Rank i = 0; !is_null() && i < number; ++i) result += (*this)[i];
    return result;
  }

  /// A copy of the first so many; of no array none.
  template <class Number>
  std::vector<Number> copied(Rank number) const {
    std::vector<Number> result;
    result.reserve(is_null() ? 0 : static_cast<std::size_t>(number));
    for (Rank i = 0; !is_null() && i < number; ++i) result.push_back(static_cast<Number>((*this)[i]));
    return result;
  }

 private:
  const void* array_ = nullptr;
  bool is_wide_ = false;
};

}  // namespace rota::mpi
