// A bell in memory that processes share: who waits for what others do there sleeps until one of them rings it.
//
//     who waits    heard = rings    looks, in vain      sleeps ~~~~~~~~~~~~~~~~ looks
//     another                                      does something     rings
//
// What is done after `heard` was read is seen by the look, or ends the sleep: rings are counted, and the system lets nobody sleep who has not
// heard them all. To ring where nobody sleeps is one addition, and no call of the system's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace rota::mpi {

/// In memory that began as zeros. One rank waits for it.
class alignas(64) Bell {
 public:
  using Rings = std::uint32_t;

  /// So far.
  Rings rings() const { return rings_.load(std::memory_order_acquire); }

  /// After what is done.
  void ring();

  /// Until it rings once more than was heard, for so long at most (a signal may end it, too). Has it rung?
  bool wait(Rings heard, std::chrono::nanoseconds at_most);

 private:
  std::atomic<Rings> rings_;
  std::atomic<std::uint32_t> has_sleeper_;
};

static_assert(std::atomic<Bell::Rings>::is_always_lock_free && sizeof(std::atomic<Bell::Rings>) == 4);

}  // namespace rota::mpi
