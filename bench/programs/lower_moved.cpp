// Collectives that move data without a message of its own for each pair: bcast, allgather, allgatherv; gather, which Rota leaves alone.
#include <algorithm>

#include "amounts.hpp"
#include "odd.hpp"
#include "sides.hpp"

namespace rota::programs {

namespace {

void write_bcast(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const bool sends = is_root(step, view);
  const Shape shape = sends ? sending_shape(step) : receiving_shape(step);
  const std::int64_t items = items_of(step, shape, step.count);
  const Region region = take_items(script, step, shape, items);
  if (sends) fill_to_move(script, step, region);
  const Side side = side_of(script, step, shape, items, region, is_odd(step, view.rank, view.size()));
  call(scene, step, "MPI_Bcast",
       {side.buffer, side.count, side.type, root_of(step, view), slot(Kind::comm, step.comm)});
  script.look(region);
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
Side given(Script& script, const Step& step, const View& view) {
  const std::int64_t items =
      items_of(step, sending_shape(step), gathered(step, view.rank, view.size(), view.is_first));
  const Region region = take_items(script, step, sending_shape(step), items);
  fill_to_move(script, step, region);
  return side_of(script, step, sending_shape(step), items, region, is_odd(step, view.rank, view.size()));
}

bool is_in_place(const Step& step, const View& view) { return step.in_place != 0 && !view.is_inter(); }

void write_allgather(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const std::vector<std::int64_t> items = items_from_all(step, view);
  const bool has_places = step.action == Action::allgatherv;
  const std::vector<std::int64_t> at = places(has_places ? step : Step{}, items);
  const Region region = take_items(script, step, receiving_shape(step), reach_of(items, at));
  const bool mine_in_place = is_in_place(step, view);
  if (mine_in_place) fill_to_move(script, step, region);
  const Side sent = mine_in_place ? in_place() : given(script, step, view);
  // Displacements are absolute where they are as large as addresses.
  const bool is_absolute = has_places && is_odd(step, view.rank, view.size()) &&
                           odd_of(step) == Odd::bottom && step.large != 0 && scene.library.has_large_counts &&
                           stride_of(step, receiving_shape(step)) == 1;
  const Argument type = type_of(script, step, receiving_shape(step), is_odd(step, view.rank, view.size()));
  if (has_places) {
    std::vector<std::int64_t> bytes = at;
    for (std::int64_t& byte : bytes) byte += region.first;
    call(scene, step, "MPI_Allgatherv",
         {sent.buffer, sent.count, sent.type, is_absolute ? name("MPI_BOTTOM") : address(region.first),
          numbers(items), is_absolute ? addresses(bytes) : numbers(at), type, slot(Kind::comm, step.comm)});
  } else {
    call(scene, step, "MPI_Allgather",
         {sent.buffer, sent.count, sent.type, address(region.first), number(items[0]), type,
          slot(Kind::comm, step.comm)});
  }
  if (sent.buffer.kind == Kind::address) script.look({sent.buffer.number, 0});
  script.look(region);
}

void write_gather(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const std::int64_t bytes = 4 * std::int64_t{step.count};
  const Region sent = script.take(bytes);
  const Region received = script.take(bytes * view.size());
  script.fill(sent, Fill::bytes, step.data);
  script.call("MPI_Gather",
              {address(sent.first), number(step.count), name("MPI_INT"), address(received.first),
               number(step.count), name("MPI_INT"), root_of(step, view), slot(Kind::comm, step.comm)});
  script.look(received);
}

}  // namespace

void write_moved(Scene& scene, const Step& step, const View& view) {
  if (step.action == Action::bcast) return write_bcast(scene, step, view);
  if (step.action == Action::gather) return write_gather(scene, step, view);
  write_allgather(scene, step, view);
}

}  // namespace rota::programs
