#include "rota_mpi/communicators/boxes.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace rota::mpi {

namespace {

// A rank's first box is its own alone.
constexpr std::size_t kept_box = 0;
constexpr std::size_t passed_on_boxes = Boxes::boxes_a_rank - 1;

// As many as have a line with their number.
constexpr std::size_t most_on_their_way = 7;

}  // namespace

/// Each end writes a line of its own.
struct Boxes::Pair {
  alignas(64) std::atomic<Number> left;
  std::array<Filling, most_on_their_way> fillings;  // message n's is at n mod so many
  alignas(64) std::atomic<Number> taken;

  bool has_room() const {
    return left.load(std::memory_order_relaxed) - taken.load(std::memory_order_acquire) <
           Number{most_on_their_way};
  }
};

/// How often a box has been filled, and how many have still to take what is there: in one word, for it is
/// filled again only where nobody has, and passed on only before that.
struct Boxes::State {
  struct Value {
    std::uint32_t times;
    std::uint32_t readers;
  };

  alignas(64) std::atomic<Value> value;

  /// To be filled anew, for one reader: how often it has been by then, or nothing where someone reads.
  std::optional<std::uint32_t> claim() {
    Value now = value.load(std::memory_order_relaxed);
    const Value filled{now.times + 1, 1};
    if (now.readers > 0 || !value.compare_exchange_strong(now, filled, std::memory_order_acq_rel))
      return std::nullopt;
    return filled.times;
  }

  /// One reader more of what it was filled with then, if it still is.
  bool add_reader(std::uint32_t times) {
    Value now = value.load(std::memory_order_relaxed);
    while (now.times == times) {
      if (value.compare_exchange_weak(now, {times, now.readers + 1}, std::memory_order_acq_rel)) return true;
    }
    return false;
  }

  void remove_reader() {
    Value now = value.load(std::memory_order_relaxed);
    while (!value.compare_exchange_weak(now, {now.times, now.readers - 1}, std::memory_order_acq_rel)) {
    }
  }
};

static_assert(std::atomic<Boxes::Number>::is_always_lock_free);

// In memory bells come first, then pairs, then boxes' states, then boxes.

std::size_t Boxes::bytes_before_pairs(std::size_t ranks) { return ranks * sizeof(Bell); }

std::size_t Boxes::bytes_before_states(std::size_t ranks) {
  return bytes_before_pairs(ranks) + ranks * ranks * sizeof(Pair);
}

std::size_t Boxes::bytes_before_boxes(std::size_t ranks) {
  return bytes_before_states(ranks) + ranks * boxes_a_rank * sizeof(State);
}

std::size_t Boxes::bytes_among(std::size_t ranks) {
  return bytes_before_boxes(ranks) + ranks * boxes_a_rank * static_cast<std::size_t>(largest);
}

Boxes::Boxes(SharedMemory memory, std::vector<Rank> ranks, Rank own)
    : memory_(std::move(memory)), ranks_(std::move(ranks)), own_(place_of(own)) {
  static_assert(sizeof(Pair) == 128 && sizeof(State) == 64 && sizeof(Filling) == 8);
  static_assert(std::atomic<State::Value>::is_always_lock_free);
}

bool Boxes::carry(Rank other, std::int64_t bytes) const {
  return bytes <= largest && std::ranges::binary_search(ranks_, other);
}

std::optional<Boxes::Filling> Boxes::claim(Rank to) {
  if (!pair(own_, place_of(to)).has_room()) return std::nullopt;
  for (std::size_t i = 0; i < passed_on_boxes; ++i) {
    const std::size_t box = kept_box + 1 + (next_box_ + i) % passed_on_boxes;
    const std::optional<Filling> found = claimed(box);
    if (!found) continue;
    next_box_ = box - kept_box;
    return found;
  }
  return claimed(kept_box);
}

/// One of this rank's, if nobody reads there.
std::optional<Boxes::Filling> Boxes::claimed(std::size_t box) const {
  const std::optional<std::uint32_t> times = state_of(own_, box).claim();
  if (!times) return std::nullopt;
  return Filling{*times, static_cast<std::uint16_t>(own_), static_cast<std::uint16_t>(box)};
}

bool Boxes::claim_again(Rank to, const Filling& filling) {
  return filling.box != kept_box && filling.owner != own_ && pair(own_, place_of(to)).has_room() &&
         state_of(filling.owner, filling.box).add_reader(filling.times);
}

Boxes::Number Boxes::leave(Rank to, const Filling& filling) {
  const std::size_t receiver = place_of(to);
  Pair& there = pair(own_, receiver);
  const Number number = there.left.load(std::memory_order_relaxed) + 1;
  there.fillings[static_cast<std::size_t>(number) % most_on_their_way] = filling;
  there.left.store(number, std::memory_order_release);
  bell_of(receiver).ring();
  return number;
}

bool Boxes::is_taken(Rank to, Number number) const {
  return pair(own_, place_of(to)).taken.load(std::memory_order_acquire) >= number;
}

std::optional<Boxes::Filling> Boxes::next_of(Rank from) const {
  const Pair& there = pair(place_of(from), own_);
  const Number number = there.taken.load(std::memory_order_relaxed) + 1;
  if (there.left.load(std::memory_order_acquire) < number) return std::nullopt;
  return there.fillings[static_cast<std::size_t>(number) % most_on_their_way];
}

void Boxes::take(Rank from, const Filling& filling) {
  const std::size_t sender = place_of(from);
  state_of(filling.owner, filling.box).remove_reader();
  std::atomic<Number>& taken = pair(sender, own_).taken;
  taken.store(taken.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  bell_of(sender).ring();
}

std::size_t Boxes::place_of(Rank rank) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ranks_, rank) - ranks_.begin());
}

Bell& Boxes::bell_of(std::size_t place) const { return reinterpret_cast<Bell*>(memory_.begin())[place]; }

Boxes::Pair& Boxes::pair(std::size_t sender, std::size_t receiver) const {
  std::byte* const first = memory_.begin() + bytes_before_pairs(ranks_.size());
  return reinterpret_cast<Pair*>(first)[sender * ranks_.size() + receiver];
}

Boxes::State& Boxes::state_of(std::size_t owner, std::size_t box) const {
  std::byte* const first = memory_.begin() + bytes_before_states(ranks_.size());
  return reinterpret_cast<State*>(first)[owner * boxes_a_rank + box];
}

std::byte* Boxes::bytes_of(const Filling& filling) const {
  std::byte* const first = memory_.begin() + bytes_before_boxes(ranks_.size());
  return first + (filling.owner * boxes_a_rank + filling.box) * static_cast<std::size_t>(largest);
}

}  // namespace rota::mpi
