// Collectives that move data without a message of its own for each pair: bcast, allgather, allgatherv.
#include <algorithm>
#include <utility>

#include "amounts.hpp"
#include "odd.hpp"
#include "sides.hpp"

namespace rota::programs {

namespace {

Collective broadcast(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const bool sends = is_root(step, view);
  const Shape shape = sends ? sending_shape(step) : receiving_shape(step);
  const std::int64_t items = items_of(step, shape, step.count);
  const Region region = take_items(script, step, shape, items);
  const Side side = side_of(script, step, shape, items, region, is_odd(step, view.rank, view.size()));
  Collective result{
      .arguments = {side.buffer, side.count, side.type, root_of(step, view), slot(Kind::comm, step.comm)},
      .seen = {region}};
  if (sends) result.given.push_back(to_move(step, region));
  return result;
}

/// Units that each rank of a group gathers; the second group may have other ones.
std::int64_t gathered(const Step& step, int rank, int size, bool is_first) {
  const std::int64_t factor = is_first ? 1 : step.way % 3;
  if (step.action == Action::allgatherv) return factor * share(step, rank, size);
  return factor * step.count;
}

std::vector<std::int64_t> items_from_all(const Step& step, const View& view) {
  const bool from_first = view.is_inter() ? !view.is_first : true;
  std::vector<std::int64_t> items;
  items.reserve(static_cast<std::size_t>(view.senders()));
  for (int rank = 0; rank < view.senders(); ++rank) {
    items.push_back(items_of(step, receiving_shape(step), gathered(step, rank, view.senders(), from_first)));
  }
  return items;
}

/// The items that a buffer reaches over.
std::int64_t reach_of(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& at) {
  std::int64_t reach = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) reach = std::max(reach, at[i] + counts[i]);
  }
  return reach;
}

Side in_place() { return {name("MPI_IN_PLACE"), number(0), name("MPI_DATATYPE_NULL")}; }

/// What a rank gives to a gathering.
struct Given {
  Region region{};
  Side side;
};

Given given(Script& script, const Step& step, const View& view) {
  const std::int64_t items =
      items_of(step, sending_shape(step), gathered(step, view.rank, view.size(), view.is_first));
  const Region region = take_items(script, step, sending_shape(step), items);
  return {region,
          side_of(script, step, sending_shape(step), items, region, is_odd(step, view.rank, view.size()))};
}

bool is_in_place(const Step& step, const View& view) { return step.in_place != 0 && !view.is_inter(); }

/// Displacements are absolute where they are as large as addresses.
bool is_absolute(const Scene& scene, const Step& step, const View& view) {
  return is_odd(step, view.rank, view.size()) && odd_of(step) == Odd::bottom && step.large != 0 &&
         scene.library.has_large_counts && stride_of(step, receiving_shape(step)) == 1;
}

/// Buffer, counts and places.
std::vector<Argument> received_at_places(const Scene& scene, const Step& step, const View& view,
                                         Region region, const std::vector<std::int64_t>& items,
                                         const std::vector<std::int64_t>& at) {
  if (!is_absolute(scene, step, view)) return {address(region.first), numbers(items), numbers(at)};
  std::vector<std::int64_t> bytes = at;
  for (std::int64_t& byte : bytes) byte += region.first;
  return {name("MPI_BOTTOM"), numbers(items), addresses(bytes)};
}

Collective gathering(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const std::vector<std::int64_t> items = items_from_all(step, view);
  const bool has_places = step.action == Action::allgatherv;
  const std::vector<std::int64_t> at = places(has_places ? step : Step{}, items);
  const Region region = take_items(script, step, receiving_shape(step), reach_of(items, at));
  const bool mine_in_place = is_in_place(step, view);
  const Given mine = mine_in_place ? Given{region, in_place()} : given(script, step, view);
  const Argument type = type_of(script, step, receiving_shape(step), is_odd(step, view.rank, view.size()));
  const auto& [buffer, count, sent_type] = mine.side;
  std::vector<Argument> arguments{buffer, count, sent_type};
  const std::vector<Argument> received = has_places
                                             ? received_at_places(scene, step, view, region, items, at)
                                             : std::vector<Argument>{address(region.first), number(items[0])};
  arguments.insert(arguments.end(), received.begin(), received.end());
  arguments.insert(arguments.end(), {type, slot(Kind::comm, step.comm)});
  Collective result{.arguments = std::move(arguments), .given = {to_move(step, mine.region)}};
  if (!mine_in_place) result.seen.push_back(mine.region);
  result.seen.push_back(region);
  return result;
}

}  // namespace

Collective moved(Scene& scene, const Step& step, const View& view) {
  return step.action == Action::bcast ? broadcast(scene, step, view) : gathering(scene, step, view);
}

}  // namespace rota::programs
