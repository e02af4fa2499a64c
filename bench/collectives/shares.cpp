#include "shares.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rota::bench {

namespace {

struct NamedShape {
  Shape shape;
  std::string_view name;
};

constexpr std::array<NamedShape, 6> all_shapes{{{Shape::regular, "regular"},
                                                {Shape::irregular, "irregular"},
                                                {Shape::degenerate, "degenerate"},
                                                {Shape::sparse4, "sparse4"},
                                                {Shape::sparse8, "sparse8"},
                                                {Shape::skewed, "skewed"}}};

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
  return std::ranges::find(all_shapes, shape, &NamedShape::shape)->name;
}

std::optional<Shape> parse_shape(std::string_view name) {
  const auto* const found = std::ranges::find(all_shapes, name, &NamedShape::name);
  return found == all_shapes.end() ? std::nullopt : std::optional(found->shape);
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
