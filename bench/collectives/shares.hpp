// How much of the data belongs to each rank, and the shapes that data may have.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rota::bench {

/// Of shares: regular, all alike; irregular, rank i has a share in proportion to i mod 3; degenerate, rank 0
/// has all. Of messages: regular, everyone sends as much to everyone else; sparse4 and sparse8, everyone to
/// so many others, at random, and as many to it; skewed, the same with 8 and sizes over nearly four orders of
/// ten.
enum class Shape : std::uint8_t { regular, irregular, degenerate, sparse4, sparse8, skewed };

std::optional<Shape> parse_shape(std::string_view name);
std::string_view name_of(Shape shape);

/// The items of each rank and where they begin in the data of all. Sums are exact.
struct Shares {
  std::vector<int> counts;
  std::vector<int> offsets;

  int total() const { return offsets.back() + counts.back(); }
};

/// `items` cut among `ranks` > 0, each within one item of its due.
Shares shares(int items, Shape shape, int ranks);

/// The least equal shares that hold `items`.
Shares equal_shares(int items, int ranks);

/// How many items of `item_bytes` hold `bytes`.
constexpr int items_of(int bytes, int item_bytes) { return bytes / item_bytes + (bytes % item_bytes != 0); }

}  // namespace rota::bench
