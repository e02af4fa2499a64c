#include "shares.hpp"

#include <array>
#include <cstdint>

namespace rota::bench {

namespace {

constexpr std::array<Shape, 3> all_shapes{Shape::regular, Shape::irregular, Shape::degenerate};

int weight(Shape shape, int rank, int ranks) {
  switch (shape) {
    case Shape::irregular:
      return ranks == 1 ? 1 : rank % 3;
    case Shape::degenerate:
      return rank == 0 ? 1 : 0;
    default:
      return 1;
  }
}

}  // namespace

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::irregular:
      return "irregular";
    case Shape::degenerate:
      return "degenerate";
    default:
      return "regular";
  }
}

std::optional<Shape> parse_shape(std::string_view name) {
  for (const Shape shape : all_shapes) {
    if (name_of(shape) == name) return shape;
  }
  return {};
}

Shares shares(int items, Shape shape, int ranks) {
  std::int64_t weights = 0;
  for (int rank = 0; rank < ranks; ++rank) weights += weight(shape, rank, ranks);
  // Rounding where shares begin, and not their sizes, is what makes the sum exact.
  const auto start = [&](std::int64_t before) { return static_cast<int>(items * before / weights); };
  Shares result;
  std::int64_t before = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t after = before + weight(shape, rank, ranks);
    result.offsets.push_back(start(before));
    result.counts.push_back(start(after) - start(before));
    before = after;
  }
  return result;
}

Shares equal_shares(int items, int ranks) {
  return shares(items_of(items, ranks) * ranks, Shape::regular, ranks);
}

}  // namespace rota::bench
