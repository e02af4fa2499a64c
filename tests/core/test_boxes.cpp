// Boxes in shared memory: messages arrive whole, in order, once, and no more of them lie there than a rank has boxes; and whoever sleeps is rung.
#include <array>
#include <chrono>
#include <cstring>
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

constexpr int boxes_a_rank = 4;

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

void a_rank_has_so_many() {
  std::vector<Boxes> boxes = boxes_of({0, 1, 2});
  const auto text = message(1, 0);
  std::vector<std::byte> place(text.size());
  for (int i = 0; i < boxes_a_rank; ++i) {
    require(boxes[0].has_room(), "a box is free");
    boxes[0].leave(i % 2 == 0 ? 1 : 2, text.data(), bytes_of(1));
  }
  require(!boxes[0].has_room() && boxes[1].has_room(), "its own are full, and others' are not");
  require(!boxes[0].is_taken(1, 1), "it lies there");
  require(boxes[1].take(0, place.data(), bytes_of(1)) && place == text, "the first is taken");
  require(boxes[0].has_room() && boxes[0].is_taken(1, 1) && !boxes[0].is_taken(1, 2), "so there is room");
  require(!boxes[2].take(1, place.data(), bytes_of(1)), "nobody has left it anything");
}

void sends(Boxes& boxes, Rank own, const std::vector<Rank>& to, int messages) {
  for (int i = 0; i < messages; ++i) {
    for (const Rank each : to) {
      while (!boxes.has_room()) std::this_thread::yield();
      const auto text = message(i, own);
      boxes.leave(each, text.data(), bytes_of(i));
    }
  }
}

void receives(Boxes& boxes, const std::vector<Rank>& from, int messages) {
  for (int i = 0; i < messages; ++i) {
    for (const Rank each : from) {
      std::vector<std::byte> place(static_cast<std::size_t>(bytes_of(i)));
      while (!boxes.take(each, place.data(), bytes_of(i))) std::this_thread::yield();
      require(place == message(i, each), "it is whole, and its turn");
    }
  }
}

void two_send_to_two_at_once() {
  constexpr int messages = 3000;
  std::vector<Boxes> boxes = boxes_of({1, 3, 4, 8});
  std::vector<std::thread> ranks;
  ranks.emplace_back([&] { sends(boxes[0], 1, {4, 8}, messages); });
  ranks.emplace_back([&] { sends(boxes[1], 3, {4, 8}, messages); });
  ranks.emplace_back([&] { receives(boxes[2], {1, 3}, messages); });
  ranks.emplace_back([&] { receives(boxes[3], {1, 3}, messages); });
  for (std::thread& each : ranks) each.join();
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
      sleep_until(boxes[0].bell(), [&] { return boxes[0].has_room(); });
      boxes[0].leave(1, text.data(), bytes_of(i));
    }
  });
  for (int i = 0; i < messages; ++i) {
    std::vector<std::byte> place(static_cast<std::size_t>(bytes_of(i)));
    sleep_until(boxes[1].bell(), [&] { return boxes[1].take(0, place.data(), bytes_of(i)); });
    require(place == message(i, 0), "it is whole, and its turn");
  }
  sender.join();
}

void nobody_sleeps_for_what_has_been() {
  std::vector<Boxes> boxes = boxes_of({0, 1});
  const auto heard = boxes[1].bell().rings();
  const std::byte text{};
  boxes[0].leave(1, &text, 1);
  require(boxes[1].bell().wait(heard, long_sleep), "it has rung since");
  require(!boxes[1].bell().wait(boxes[1].bell().rings(), std::chrono::milliseconds(1)), "and no more");
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
  two_send_to_two_at_once();
  who_sleeps_is_rung();
  nobody_sleeps_for_what_has_been();
  others_memory_is_not_taken_for_it();
} catch (const std::exception& fault) {
  std::cerr << fault.what() << '\n';
  return 1;
}
