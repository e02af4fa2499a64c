// The blocks of one rank, as messages see them: packed bytes, block after block.
#pragma once

#include <cstddef>

#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

/// What an executor may ask of the blocks that a rank holds and gets. Errors: MpiError, std::bad_alloc.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  /// The rounds are about to begin, with what the program's memory holds now: for the first time, or again
  /// after all of them are over.
  virtual void start() {}

  /// The packed bytes of these blocks together.
  virtual std::int64_t bytes(const Blocks& blocks) const = 0;

  /// The packed bytes of blocks that this rank holds, or nullptr where they do not lie in one piece.
  virtual const std::byte* in_place(const Blocks& blocks) = 0;
  /// The same, copied to `packed`.
  virtual void copy_out(const Blocks& blocks, std::byte* packed) = 0;

  /// Where blocks that are stored as they come can be received, or nullptr where there is no such place in
  /// one piece. What was there is lost.
  virtual std::byte* room(const Blocks& blocks) = 0;
  /// The room has been filled.
  virtual void filled(const Blocks& blocks) = 0;

  /// Blocks that were received elsewhere: they are kept, or combined with the rank's own, and then what is at
  /// `packed` is lost.
  virtual void take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) = 0;

  /// Two blocks that the rank holds are combined.
  virtual void combine(const Combination& combination) = 0;

  /// All rounds are over: what else there is to do on this rank.
  virtual void finish() {}
};

}  // namespace rota::mpi
