// Boxes in shared memory: messages arrive whole, in order, once, and no more of them lie there than a rank has boxes; what is passed on stays
// there until all have it, and keeps nobody waiting forever; and whoever sleeps is rung.
#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <iostream>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "require.hpp"
#include "rota_mpi/communicators/boxes.hpp"

namespace {

using rota::Rank;
using rota::mpi::Bell;
using rota::mpi::Boxes;
using rota::mpi::OfferedMemory;
using rota::mpi::shared_memory_at;
using rota::mpi::SharedAddress;

constexpr int boxes_a_rank = Boxes::boxes_a_rank;

/// Of a host whose ranks are called so: each sees the memory by a mapping of its own.
std::vector<Boxes> boxes_of(const std::vector<Rank>& ranks) {
  const std::size_t bytes = Boxes::bytes_among(ranks.size());
  OfferedMemory offered(bytes);
  std::vector<Boxes> result;
  for (const Rank rank : ranks) {
    auto memory = rank == ranks.front() ? offered.take() : shared_memory_at(offered.address(), bytes);
    require(memory.has_value(), "memory that is offered is found");
    result.emplace_back(std::move(*memory), ranks, rank);
  }
  return result;
}

/// Another one for each number, up to what fits in.
std::int64_t bytes_of(int number) {
  constexpr std::array sizes{std::int64_t{1}, std::int64_t{63}, std::int64_t{4096}, Boxes::largest - 1,
                             Boxes::largest};
  return sizes[static_cast<std::size_t>(number) % sizes.size()];
}

std::vector<std::byte> message(int number, Rank sender) {
  const auto bytes = static_cast<std::size_t>(bytes_of(number));
  std::vector<std::byte> result(bytes, static_cast<std::byte>(31 * number + sender));
  return result;
}

void what_goes_through() {
  const std::vector<Boxes> boxes = boxes_of({2, 5, 7});
  require(boxes[0].carry(5, 1) && boxes[0].carry(7, Boxes::largest), "to ranks of the host, what fits in");
  require(!boxes[0].carry(5, Boxes::largest + 1), "nothing larger");
  require(!boxes[0].carry(3, 1) && !boxes[0].carry(-1, 1) && !boxes[0].carry(8, 1), "and to nobody else");
}

bool leave(Boxes& boxes, Rank to, const std::vector<std::byte>& text) {
  const std::optional<Boxes::Filling> filling = boxes.claim(to);
  if (!filling) return false;
  std::ranges::copy(text, boxes.bytes_of(*filling));
  boxes.leave(to, *filling);
  return true;
}

bool pass_on(Boxes& boxes, Rank to, const Boxes::Filling& filling) {
  if (!boxes.claim_again(to, filling)) return false;
  boxes.leave(to, filling);
  return true;
}

struct Taken {
  std::vector<std::byte> text;
  Boxes::Filling filling;
};

std::optional<Taken> take(Boxes& boxes, Rank from, std::int64_t bytes) {
  const std::optional<Boxes::Filling> filling = boxes.next_of(from);
  if (!filling) return std::nullopt;
  const std::byte* const text = boxes.bytes_of(*filling);
  Taken result{{text, text + bytes}, *filling};
  boxes.take(from, *filling);
  return result;
}

void a_rank_has_so_many() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2});
  const auto text = message(1, 0);
  for (int i = 0; i < boxes_a_rank; ++i) require(leave(boxes[0], i % 2 == 0 ? 1 : 2, text), "a box is free");
  require(!leave(boxes[0], 1, text) && leave(boxes[1], 0, text), "its own are full, and others' are not");
  require(!boxes[0].is_taken(1, 1), "it lies there");
  const auto first = take(boxes[1], 0, bytes_of(1));
  require(first && first->text == text, "the first is taken");
  require(boxes[0].is_taken(1, 1) && !boxes[0].is_taken(1, 2), "and it is known");
  require(leave(boxes[0], 2, text) && !leave(boxes[0], 2, text), "so there is room for one");
  require(!take(boxes[2], 1, 1), "nobody has left it anything");
}

/// A pair's numbers are as many as a line holds.
void a_pair_has_fewer() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2});
  int left = 0;
  while (leave(boxes[0], 1, message(0, 0))) ++left;
  require(left < boxes_a_rank && leave(boxes[0], 2, message(0, 0)), "a box is free still, for another");
}

void what_is_passed_on_stays() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2});
  require(leave(boxes[0], 1, message(1, 0)), "a box is free");
  const auto taken = take(boxes[1], 0, bytes_of(1));
  require(taken && boxes[1].is_own_of(0, taken->filling), "of its sender's alone");
  require(pass_on(boxes[1], 2, taken->filling), "it is there still");
  int later = 0;
  while (leave(boxes[0], 1, message(2, 0))) ++later;
  require(later < boxes_a_rank, "its box is not filled again");
  const auto same = take(boxes[2], 1, bytes_of(1));
  require(same && same->text == message(1, 0) && same->filling == taken->filling, "as it was");
  require(!boxes[2].is_own_of(1, same->filling), "not its sender's");
  require(boxes[1].is_taken(2, 1), "taken from who passed it on");
}

void what_is_gone_is_not_passed_on() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2});
  require(leave(boxes[0], 1, message(1, 0)), "a box is free");
  const auto taken = take(boxes[1], 0, bytes_of(1));
  for (int i = 0; i < boxes_a_rank; ++i) {
    require(leave(boxes[0], 2, message(2, 0)) && take(boxes[2], 0, bytes_of(2)),
            "the others are filled first");
  }
  require(taken && !pass_on(boxes[1], 2, taken->filling), "its box holds something else");
}

/// Whatever others pass on, and do not take.
void a_rank_always_has_one() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2, 3});
  std::vector<Boxes::Filling> fillings;
  for (int i = 0; i < boxes_a_rank - 1; ++i) {
    require(leave(boxes[0], 1, message(i, 0)), "a box is free");
    fillings.push_back(take(boxes[1], 0, bytes_of(i)).value().filling);
  }
  for (std::size_t i = 0; i < fillings.size(); ++i) {
    require(pass_on(boxes[1], i % 2 == 0 ? 2 : 3, fillings[i]), "they are there");
  }
  require(leave(boxes[0], 1, message(0, 0)), "one is left");
  require(!leave(boxes[0], 1, message(0, 0)), "and no more");
  const auto last = take(boxes[1], 0, bytes_of(0));
  require(last && !pass_on(boxes[1], 2, last->filling), "it is not passed on");
  require(leave(boxes[0], 1, message(0, 0)), "so it is free when it is taken");
}

void sends(Boxes& boxes, Rank own, const std::vector<Rank>& to, int messages) {
  for (int i = 0; i < messages; ++i) {
    for (const Rank each : to) {
      while (!leave(boxes, each, message(i, own))) std::this_thread::yield();
    }
  }
}

Taken receives(Boxes& boxes, Rank from, std::int64_t bytes) {
  std::optional<Taken> taken;
  while (!(taken = take(boxes, from, bytes))) std::this_thread::yield();
  return std::move(*taken);
}

void receives_all(Boxes& boxes, const std::vector<Rank>& from, int messages) {
  for (int i = 0; i < messages; ++i) {
    for (const Rank each : from) {
      require(receives(boxes, each, bytes_of(i)).text == message(i, each), "it is whole, and its turn");
    }
  }
}

void two_send_to_two_at_once() {
  constexpr int messages = 3000;
  std::vector<Boxes> boxes = boxes_of({1, 3, 4, 8});
  std::vector<std::thread> ranks;
  ranks.emplace_back([&] { sends(boxes[0], 1, {4, 8}, messages); });
  ranks.emplace_back([&] { sends(boxes[1], 3, {4, 8}, messages); });
  ranks.emplace_back([&] { receives_all(boxes[2], {1, 3}, messages); });
  ranks.emplace_back([&] { receives_all(boxes[3], {1, 3}, messages); });
  for (std::thread& each : ranks) each.join();
}

/// Each message goes from rank to rank, by the box that it came in as long as it is there.
void a_chain_passes_on() {
  constexpr int messages = 3000;
  const std::vector<Rank> ranks{0, 1, 2, 3};
  std::vector<Boxes> boxes = boxes_of(ranks);
  std::array<int, 4> passed_on{};
  std::vector<std::thread> threads;
  threads.emplace_back([&] { sends(boxes[0], 0, {1}, messages); });
  for (const Rank rank : {1, 2, 3}) {
    threads.emplace_back([&, rank] {
      Boxes& own = boxes[static_cast<std::size_t>(rank)];
      for (int i = 0; i < messages; ++i) {
        const Taken taken = receives(own, rank - 1, bytes_of(i));
        require(taken.text == message(i, 0), "it is whole, and its turn");
        if (rank == 3) continue;
        if (pass_on(own, rank + 1, taken.filling)) {
          ++passed_on[static_cast<std::size_t>(rank)];
          continue;
        }
        while (!leave(own, rank + 1, taken.text)) std::this_thread::yield();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  require(passed_on[1] > 0, "some are there when they are passed on");
}

constexpr std::chrono::hours long_sleep(1);

template <class Look>
void sleep_until(Bell& bell, Look look) {
  for (auto heard = bell.rings(); !look(); heard = bell.rings()) bell.wait(heard, long_sleep);
}

/// No ring is missed: a sleep would last longer than the test may.
void who_sleeps_is_rung() {
  constexpr int messages = 3000;
  std::vector<Boxes> boxes = boxes_of({0, 1});
  std::thread sender([&] {
    for (int i = 0; i < messages; ++i) {
      const auto text = message(i, 0);
      sleep_until(boxes[0].bell(), [&] { return leave(boxes[0], 1, text); });
    }
  });
  for (int i = 0; i < messages; ++i) {
    std::optional<Taken> taken;
    sleep_until(boxes[1].bell(), [&] { return (taken = take(boxes[1], 0, bytes_of(i))).has_value(); });
    require(taken->text == message(i, 0), "it is whole, and its turn");
  }
  sender.join();
}

void nobody_sleeps_for_what_has_been() {
  std::vector<Boxes> boxes = boxes_of({0, 1});
  const auto heard = boxes[1].bell().rings();
  leave(boxes[0], 1, message(0, 0));
  require(boxes[1].bell().wait(heard, long_sleep), "it has rung since");
  require(!boxes[1].bell().wait(boxes[1].bell().rings(), std::chrono::milliseconds(1)), "and no more");
}

/// For who has it from there next would take it for that rank's alone.
void what_has_come_back_is_not_passed_on() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2});
  require(leave(boxes[0], 1, message(1, 0)), "a box is free");
  const auto there = take(boxes[1], 0, bytes_of(1));
  require(there && pass_on(boxes[1], 0, there->filling), "it is there still");
  const auto back = take(boxes[0], 1, bytes_of(1));
  require(back && !pass_on(boxes[0], 2, back->filling), "it is its own");
  require(pass_on(boxes[1], 2, there->filling), "others may pass it on");
}

/// Of another machine, say: a file of that number is there, but another one.
void others_memory_is_not_taken_for_it() {
  const std::size_t bytes = Boxes::bytes_among(2);
  const OfferedMemory offered(bytes);
  const OfferedMemory another(bytes);
  SharedAddress address = offered.address();
  require(shared_memory_at(address, bytes).has_value(), "it is there");
  require(!shared_memory_at(address, bytes + 1), "of another size");
  address.descriptor = another.address().descriptor;
  require(!shared_memory_at(address, bytes), "another mark");
  address.descriptor = 1 << 20;
  require(!shared_memory_at(address, bytes), "no such descriptor");
  std::optional<OfferedMemory> withdrawn(bytes);
  address = withdrawn->address();
  withdrawn.reset();
  require(!shared_memory_at(address, bytes), "no longer");
}

}  // namespace

int main() try {
  what_goes_through();
  a_rank_has_so_many();
  a_pair_has_fewer();
  what_is_passed_on_stays();
  what_is_gone_is_not_passed_on();
  a_rank_always_has_one();
  two_send_to_two_at_once();
  a_chain_passes_on();
  who_sleeps_is_rung();
  nobody_sleeps_for_what_has_been();
  what_has_come_back_is_not_passed_on();
  others_memory_is_not_taken_for_it();
} catch (const std::exception& fault) {
  std::cerr << fault.what() << '\n';
  return 1;
}
