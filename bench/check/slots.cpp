#include "slots.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "random.hpp"

namespace rota::check {

namespace {

const Shape& shape_of(const std::string& name) { return shapes[shape_index(name)]; }

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// The two ranks of a message.
struct Ends {
  int from;
  int to;

  bool operator==(const Ends&) const = default;
};

/// In place, there is as much both ways.
Ends ends_that_count(const Case& c, const Ends& ends) {
  return c.in_place ? Ends{std::min(ends.from, ends.to), std::max(ends.from, ends.to)} : ends;
}

/// One message of a call that has any: which one, depends on the data.
Ends larger_message(const Case& c, int ranks) {
  const auto all = static_cast<std::uint64_t>(ranks);
  return ends_that_count(c, {static_cast<int>(c.data % all), static_cast<int>(c.data / all % all)});
}

/// The items of the case in a message.
std::int64_t count_of(const Case& c, const Ends& both, int ranks) {
  const Ends ends = ends_that_count(c, both);
  if (c.has_larger_message && ends == larger_message(c, ranks)) return c.count + 1;
  const std::int64_t message = std::int64_t{ends.from} * ranks + ends.to;
  Random random = random_of(c.data, static_cast<std::uint64_t>(message));
  if (!has_counts(c) || c.counts == "equal") return c.count;
  if (c.counts == "mod3") return c.count * ((ends.from + ends.to) % 3);
  if (c.counts == "random") return random.below(2 * c.count + 1);
  if (c.counts == "sparse") return random.once_in(2) ? c.count : 0;
  return ends.from == static_cast<int>(c.data % static_cast<std::uint64_t>(ranks)) ? c.count : 0;
}

const Shape* shape_of_message(const Case& c, int rank, int peer, Way way) {
  const Shape& usual = way == Way::sent ? sending_shape(c) : receiving_shape(c);
  if (c.types != "mixed" || c.call != "alltoallw") return &usual;
  const std::int64_t side = std::int64_t{2} * rank + (way == Way::sent ? 0 : 1);
  Random random = random_of(c.data + 1, static_cast<std::uint64_t>(side * 1000 + peer));
  return &shapes[static_cast<std::size_t>(random.below(shapes.size()))];
}

/// From the first byte of a slot at address 0 to behind its last.
struct Span {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t end = 0;
};

Span span_of(const Slot& slot, std::ptrdiff_t element_extent) {
  Span span;
  for (const std::ptrdiff_t place : places_of(slot, element_extent)) {
    span.first = std::min(span.first, place);
    span.end = std::max(span.end, place + element_extent);
  }
  return span;
}

/// Of messages of any shapes, in bytes: one behind the other, with the gaps that displs asks for.
std::vector<std::int64_t> bytes_apart(const Case& c, const Messages& messages,
                                      std::ptrdiff_t element_extent) {
  const bool with_holes = c.displs == "holes" || c.displs == "permuted";
  std::vector<std::int64_t> displs(messages.counts.size());
  std::int64_t next = 0;
  for (const std::size_t rank : order_of(c, displs.size())) {
    const Span span = span_of({0, messages.counts[rank], messages.shapes[rank]}, element_extent);
    if (with_holes) next += static_cast<std::int64_t>(rank % 3) * element_extent;
    displs[rank] = next - span.first;
    next += span.end - span.first;
  }
  if (c.displs != "below") return displs;
  for (std::int64_t& displacement : displs) displacement -= next + element_extent;
  return displs;
}

}  // namespace

const Shape& sending_shape(const Case& c) { return shape_of(c.layout); }

const Shape& receiving_shape(const Case& c) { return shape_of(is_reduction(c) ? c.layout : c.receive); }

std::int64_t items_of(const Case& c, const Shape& shape, std::int64_t count) {
  const int most = c.types == "mixed" ? 3 : std::max(sending_shape(c).elements, receiving_shape(c).elements);
  return most > shape.elements ? 3 * count : count;
}

std::vector<std::size_t> order_of(const Case& c, std::size_t ranks) {
  std::vector<std::size_t> order(ranks);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (c.displs != "permuted") return order;
  Random random = random_of(c.data, ranks);
  for (std::size_t i = ranks; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  return order;
}

std::vector<std::int64_t> displs_of(const Case& c, const std::vector<std::int64_t>& counts) {
  const bool is_placed = has_displacements(c);
  const bool with_holes = is_placed && (c.displs == "holes" || c.displs == "permuted");
  std::vector<std::int64_t> displs(counts.size());
  std::int64_t next = is_placed && c.displs == "below" ? -sum(counts) - 1 : 0;
  for (const std::size_t rank : order_of(c, counts.size())) {
    if (with_holes) next += static_cast<std::int64_t>(rank % 3);
    displs[rank] = next;
    next += counts[rank];
  }
  return displs;
}

std::vector<std::ptrdiff_t> places_of(const Slot& slot, std::ptrdiff_t element_extent) {
  std::vector<std::ptrdiff_t> places;
  for (std::int64_t item = 0; item < slot.items; ++item) {
    const std::ptrdiff_t address = slot.address + item * slot.shape->extent.with(element_extent);
    for (std::size_t i = 0; i < static_cast<std::size_t>(slot.shape->elements); ++i)
      places.push_back(address + slot.shape->at[i].with(element_extent));
  }
  return places;
}

Messages messages_of(const Case& c, const Element& element, int rank, int ranks, Way way) {
  Messages messages;
  for (int peer = 0; peer < ranks; ++peer) {
    const Ends ends = way == Way::sent ? Ends{rank, peer} : Ends{peer, rank};
    messages.shapes.push_back(shape_of_message(c, rank, peer, way));
    messages.counts.push_back(items_of(c, *messages.shapes.back(), count_of(c, ends, ranks)));
  }
  messages.displs =
      c.call == "alltoallw" ? bytes_apart(c, messages, element.extent) : displs_of(c, messages.counts);
  return messages;
}

std::vector<Slot> slots_of(const Messages& messages, const Case& c, const Element& element) {
  std::vector<Slot> slots;
  for (std::size_t peer = 0; peer < messages.counts.size(); ++peer) {
    const Shape* const shape = messages.shapes[peer];
    const std::ptrdiff_t unit = c.call == "alltoallw" ? 1 : shape->extent.with(element.extent);
    slots.push_back({messages.displs[peer] * unit, messages.counts[peer], shape});
  }
  return slots;
}

}  // namespace rota::check
