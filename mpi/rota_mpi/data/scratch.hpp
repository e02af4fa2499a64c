// Memory for messages on their way that have no place of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rota::mpi {

/// A piece of memory of at least the size that was asked for.
struct Piece {
  std::unique_ptr<std::byte[]> bytes;
  std::int64_t size = 0;
};

/// Pieces that were given back are handed out again: fresh memory costs more to touch than to fill.
class Scratch {
 public:
  /// Throws std::bad_alloc.
  Piece take(std::int64_t size) {
    for (Piece& piece : free_) {
      if (piece.size < size) continue;
      Piece taken = std::move(piece);
      piece = std::move(free_.back());
      free_.pop_back();
      return taken;
    }
    return {std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size)), size};
  }

  void give_back(Piece piece) {
    if (piece.bytes != nullptr) free_.push_back(std::move(piece));
  }

 private:
  std::vector<Piece> free_;
};

}  // namespace rota::mpi
