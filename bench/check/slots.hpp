// Where in a buffer the items of each rank are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "case.hpp"
#include "elements.hpp"
#include "shapes.hpp"

namespace rota::check {

/// The items for or from one rank, the first of them so many bytes from the buffer's address.
struct Slot {
  std::ptrdiff_t address;
  std::int64_t items;
  const Shape* shape;
};

const Shape& sending_shape(const Case& c);

/// Only calls that just move data may have other types on the receiving side.
const Shape& receiving_shape(const Case& c);

/// The items of a shape that hold what `count` items of the case hold.
std::int64_t items_of(const Case& c, const Shape& shape, std::int64_t count);

/// The ranks in the order in which their items lie in memory.
std::vector<std::size_t> order_of(const Case& c, std::size_t ranks);

/// Where each rank's items lie, by the case's displs, if they are so many.
std::vector<std::int64_t> displs_of(const Case& c, const std::vector<std::int64_t>& counts);

/// The places of all elements, in the order of slots and of the data in each.
std::vector<std::ptrdiff_t> places_of(const Slot& slot, std::ptrdiff_t element_extent);

/// One side of an all-to-many call on a rank: what it has for each rank, or gets from each.
struct Messages {
  std::vector<const Shape*> shapes;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> displs;  // in items; of an alltoallw, in bytes
};

enum class Way : std::uint8_t { sent, received };

Messages messages_of(const Case& c, const Element& element, int rank, int ranks, Way way);

std::vector<Slot> slots_of(const Messages& messages, const Case& c, const Element& element);

}  // namespace rota::check
