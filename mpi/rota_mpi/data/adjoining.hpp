// Pieces of memory that may lie one after the other.
#pragma once

#include <cstdint>

namespace rota::mpi {

/// Takes pieces in order as long as each begins where the one before it ends; empty ones lie anywhere.
template <class Byte>
class Adjoining {
 public:
  /// Does the piece adjoin those before it?
  bool add(Byte* piece, std::int64_t size) {
    if (size == 0) return true;
    if (first_ == nullptr) first_ = end_ = piece;
    if (piece != end_) return false;
    end_ = piece + size;
    return true;
  }

  /// Where the first piece begins.
  Byte* first() const { return first_; }

 private:
  Byte* first_ = nullptr;
  Byte* end_ = nullptr;
};

}  // namespace rota::mpi
