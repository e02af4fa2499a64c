#include "rota_mpi/communicators/boxes.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace rota::mpi {

/// Each end writes lines of its own.
struct Boxes::Pair {
  alignas(64) std::atomic<Number> left;
  std::array<std::size_t, boxes_a_rank> boxes;  // message n's is at n mod so many
  alignas(64) std::atomic<Number> taken;
};

static_assert(std::atomic<Boxes::Number>::is_always_lock_free);

// In memory bells come first, then pairs, then boxes.

std::size_t Boxes::bytes_before_pairs(std::size_t ranks) { return ranks * sizeof(Bell); }

std::size_t Boxes::bytes_before_boxes(std::size_t ranks) {
  return bytes_before_pairs(ranks) + ranks * ranks * sizeof(Pair);
}

std::size_t Boxes::bytes_among(std::size_t ranks) {
  return bytes_before_boxes(ranks) + ranks * boxes_a_rank * static_cast<std::size_t>(largest);
}

Boxes::Boxes(SharedMemory memory, std::vector<Rank> ranks, Rank own)
    : memory_(std::move(memory)), ranks_(std::move(ranks)), own_(place_of(own)) {}

bool Boxes::carry(Rank other, std::int64_t bytes) const {
  return bytes <= largest && std::ranges::binary_search(ranks_, other);
}

bool Boxes::has_room() const { return free_one() != nullptr; }

Boxes::Number Boxes::leave(Rank to, const std::byte* message, std::int64_t bytes) {
  const std::size_t receiver = place_of(to);
  const auto chosen = static_cast<std::size_t>(free_one() - filled_.data());
  std::memcpy(box(own_, chosen), message, static_cast<std::size_t>(bytes));
  Pair& there = pair(own_, receiver);
  const Number number = there.left.load(std::memory_order_relaxed) + 1;
  there.boxes[static_cast<std::size_t>(number) % boxes_a_rank] = chosen;
  there.left.store(number, std::memory_order_release);
  bell_of(receiver).ring();
  filled_[chosen] = {receiver, number};
  return number;
}

bool Boxes::is_taken(Rank to, Number number) const { return is_free({place_of(to), number}); }

bool Boxes::take(Rank from, std::byte* place, std::int64_t bytes) {
  const std::size_t sender = place_of(from);
  Pair& there = pair(sender, own_);
  const Number number = there.taken.load(std::memory_order_relaxed) + 1;
  if (there.left.load(std::memory_order_acquire) < number) return false;
  const std::size_t chosen = there.boxes[static_cast<std::size_t>(number) % boxes_a_rank];
  std::memcpy(place, box(sender, chosen), static_cast<std::size_t>(bytes));
  there.taken.store(number, std::memory_order_release);
  bell_of(sender).ring();
  return true;
}

std::size_t Boxes::place_of(Rank rank) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ranks_, rank) - ranks_.begin());
}

Bell& Boxes::bell_of(std::size_t place) const { return reinterpret_cast<Bell*>(memory_.begin())[place]; }

Boxes::Pair& Boxes::pair(std::size_t sender, std::size_t receiver) const {
  std::byte* const first = memory_.begin() + bytes_before_pairs(ranks_.size());
  return reinterpret_cast<Pair*>(first)[sender * ranks_.size() + receiver];
}

std::byte* Boxes::box(std::size_t sender, std::size_t number) const {
  std::byte* const first = memory_.begin() + bytes_before_boxes(ranks_.size());
  return first + (sender * boxes_a_rank + number) * static_cast<std::size_t>(largest);
}

bool Boxes::is_free(const Filled& filled) const {
  return pair(own_, filled.receiver).taken.load(std::memory_order_acquire) >= filled.number;
}

const Boxes::Filled* Boxes::free_one() const {
  const auto found = std::ranges::find_if(filled_, [this](const Filled& each) { return is_free(each); });
  return found == filled_.end() ? nullptr : &*found;
}

}  // namespace rota::mpi
