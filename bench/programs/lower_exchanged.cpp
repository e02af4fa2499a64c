// Collectives with a message of its own for each pair: among all ranks and among neighbours in a topology.
#include <algorithm>
#include <numeric>

#include "amounts.hpp"
#include "odd.hpp"
#include "sides.hpp"

namespace rota::programs {

namespace {

enum class Way : std::uint8_t { sent, received };

/// One side of the call on a rank: message by message.
struct Messages {
  std::vector<Shape> shapes;
  std::vector<std::int64_t> items;
  std::vector<std::int64_t> at;  // in items; where each has its own type, in bytes
  Region region{};
};

bool is_among_neighbors(const Step& step) {
  return step.action >= Action::neighbor_alltoall && step.action <= Action::neighbor_alltoallw;
}

bool is_regular(const Step& step) {
  return step.action == Action::alltoall || step.action == Action::neighbor_alltoall;
}

bool has_types(const Step& step) {
  return step.action == Action::alltoallw || step.action == Action::neighbor_alltoallw;
}

bool is_in_place(const Step& step) { return step.in_place != 0 && !is_among_neighbors(step); }

/// The ranks that messages go to or come from.
std::vector<int> peers_of(const Step& step, const View& view, Way way) {
  if (is_among_neighbors(step)) {
    const Neighbors& all = view.comm->neighbors[static_cast<std::size_t>(view.rank)];
    return way == Way::sent ? all.destinations : all.sources;
  }
  std::vector<int> all(static_cast<std::size_t>(view.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Some messages of an alltoallw have the shapes of the two sides exchanged.
Shape shape_of(const Step& step, int from, int to, Way way) {
  const bool is_turned = has_types(step) && !is_in_place(step) && (from + to + step.data) % 2 == 1;
  return (way == Way::sent) == is_turned ? receiving_shape(step) : sending_shape(step);
}

/// In place, all have the receiver's shape.
Shape shape_in_call(const Step& step, int from, int to, Way way) {
  return is_in_place(step) ? receiving_shape(step) : shape_of(step, from, to, way);
}

/// What places count: items, or elements where each message has its own type.
std::int64_t grain_of(const Step& step, Shape shape) {
  return has_types(step) ? stride_of(step, shape) / element_of(step).bytes : 1;
}

Messages messages_of(Script& script, const Step& step, const View& view, Way way) {
  Messages messages;
  std::vector<std::int64_t> lengths;
  for (const int peer : peers_of(step, view, way)) {
    const int there = peer == Neighbors::nobody ? 0 : peer;
    const int from = way == Way::sent ? view.rank : there;
    const int to = way == Way::sent ? there : view.rank;
    const Shape shape = shape_in_call(step, from, to, way);
    const std::int64_t units = is_regular(step) ? step.count : amount(step, from, to, view.size());
    messages.shapes.push_back(shape);
    messages.items.push_back(items_of(step, shape, units));
    lengths.push_back(messages.items.back() * grain_of(step, shape));
  }
  messages.at = places(is_regular(step) ? Step{} : step, lengths);
  const std::int64_t unit = has_types(step) ? element_of(step).bytes : 1;
  const Shape shape = way == Way::sent ? sending_shape(step) : receiving_shape(step);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > 0) {
      const std::int64_t end = messages.at[i] + lengths[i];
      bytes = std::max(bytes, end * (has_types(step) ? unit : stride_of(step, shape)));
    }
    messages.at[i] *= unit;
  }
  messages.region = script.take(bytes);
  return messages;
}

/// As the call is given a side.
struct Given {
  Argument buffer;
  Argument counts;
  Argument displacements;
  Argument types;  // or the one type
};

Argument types_of(Script& script, const Step& step, const Messages& messages) {
  std::vector<Argument> types;
  types.reserve(messages.shapes.size());
  for (const Shape shape : messages.shapes) types.push_back(script.type(element_of(step), shape));
  return array(std::move(types));
}

std::vector<std::int64_t> as_addresses(const Messages& messages) {
  std::vector<std::int64_t> bytes = messages.at;
  for (std::int64_t& byte : bytes) byte += messages.region.first;
  return bytes;
}

std::vector<std::int64_t> all(const Messages& messages, std::int64_t value) {
  return std::vector<std::int64_t>(messages.items.size(), value);
}

/// Are displacements of the call as large as addresses, and in bytes?
bool has_room_for_addresses(const Scene& scene, const Step& step, Shape shape) {
  const bool is_large = step.large != 0 && scene.library.has_large_counts;
  if (has_types(step)) return is_large || is_among_neighbors(step);
  return is_large && stride_of(step, shape) == 1;
}

/// Each message as an item of a type that says where it lies.
Given at_bottom(Script& script, const Step& step, const Messages& messages) {
  std::vector<Argument> types;
  for (std::size_t i = 0; i < messages.items.size(); ++i) {
    const Argument type = script.type(element_of(step), messages.shapes[i]);
    types.push_back(script.at_addresses(type, {messages.items[i]}, {messages.region.first + messages.at[i]}));
  }
  return {name("MPI_BOTTOM"), numbers(all(messages, 1)), numbers(all(messages, 0)), array(std::move(types))};
}

/// Each message as one item.
Given whole(Script& script, const Step& step, const Messages& messages) {
  std::vector<Argument> types;
  types.reserve(messages.items.size());
  for (std::size_t i = 0; i < messages.items.size(); ++i) {
    types.push_back(script.repeated(script.type(element_of(step), messages.shapes[i]), messages.items[i]));
  }
  return {address(messages.region.first), numbers(all(messages, 1)), numbers(messages.at),
          array(std::move(types))};
}

Given nothing(Script& script, const Step& step, const Messages& messages, bool is_empty_type) {
  const Argument type = script.repeated(script.type(element_of(step), Shape::plain), is_empty_type ? 0 : 1);
  const Argument types = has_types(step) ? array(std::vector<Argument>(messages.items.size(), type)) : type;
  return {name("NULL"), numbers(all(messages, is_empty_type ? 1 : 0)), numbers(all(messages, 0)), types};
}

Given given(Scene& scene, const Step& step, const View& view, const Messages& messages, Way way) {
  Script& script = scene.script;
  const bool odd = is_odd(step, view.rank, view.size());
  const Shape shape = way == Way::sent ? sending_shape(step) : receiving_shape(step);
  const bool has_bytes = std::ranges::any_of(messages.items, [](std::int64_t items) { return items > 0; });
  if (odd && !has_bytes && !is_regular(step) && (odd_of(step) == Odd::null || odd_of(step) == Odd::empty)) {
    return nothing(script, step, messages, odd_of(step) == Odd::empty);
  }
  if (odd && odd_of(step) == Odd::whole && has_types(step)) return whole(script, step, messages);
  if (odd && odd_of(step) == Odd::bottom && !is_regular(step)) {
    const bool has_room = has_room_for_addresses(scene, step, shape);
    if (!has_room && has_types(step)) return at_bottom(script, step, messages);
    if (has_room) {
      return {name("MPI_BOTTOM"), numbers(messages.items), addresses(as_addresses(messages)),
              has_types(step) ? types_of(script, step, messages) : script.type(element_of(step), shape)};
    }
  }
  return {address(messages.region.first), numbers(messages.items), numbers(messages.at),
          has_types(step) ? types_of(script, step, messages) : type_of(script, step, shape, odd)};
}

/// In place, nothing else of the sender's counts; some programs pass nothing at all.
Given in_place(const Given& received) {
  return {name("MPI_IN_PLACE"), received.counts, received.displacements, received.types};
}

/// Of a regular call, the count for each. Where a rank has no neighbours, the same: Open MPI compares both
/// sides.
Argument count_of(const Step& step, Way way) {
  const Shape shape = is_in_place(step) || way == Way::received ? receiving_shape(step) : sending_shape(step);
  return number(items_of(step, shape, step.count));
}

std::vector<Argument> arguments_of(const Step& step, const Given& sent, const Given& received) {
  const Argument comm = slot(Kind::comm, step.comm);
  if (is_regular(step)) {
    return {sent.buffer,
            count_of(step, Way::sent),
            sent.types,
            received.buffer,
            count_of(step, Way::received),
            received.types,
            comm};
  }
  return {sent.buffer,
          sent.counts,
          sent.displacements,
          sent.types,
          received.buffer,
          received.counts,
          received.displacements,
          received.types,
          comm};
}

}  // namespace

Collective exchanged(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const Messages sent = messages_of(script, step, view, Way::sent);
  const Messages received = messages_of(script, step, view, Way::received);
  const Given to = given(scene, step, view, received, Way::received);
  const Given from = is_in_place(step) ? in_place(to) : given(scene, step, view, sent, Way::sent);
  return {.arguments = arguments_of(step, from, to),
          .given = {to_move(step, is_in_place(step) ? received.region : sent.region)},
          .undefined = {},
          .seen = {sent.region, received.region}};
}

}  // namespace rota::programs
