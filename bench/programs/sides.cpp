#include "sides.hpp"

#include <numeric>

#include "odd.hpp"

namespace rota::programs {

namespace {

const Outline& outline_of(Shape shape) { return outlines[static_cast<std::size_t>(shape)]; }

Shape shape_called(int index) {
  return static_cast<Shape>(static_cast<std::size_t>(index) % outlines.size());
}

bool has_other_name(const Step& step, Shape shape, bool is_odd) {
  return is_odd && odd_of(step) == Odd::same && shape == Shape::plain && !element_of(step).name.empty();
}

bool has_equal_counts(const Step& step) {
  return step.action == Action::bcast || step.action == Action::allgather;
}

}  // namespace

const Element& element_of(const Step& step) {
  return elements[static_cast<std::size_t>(step.type) % elements.size()];
}

Shape sending_shape(const Step& step) { return shape_called(step.shape); }

Shape receiving_shape(const Step& step) { return shape_called(step.other); }

std::int64_t items_of(const Step& step, Shape shape, std::int64_t units) {
  const int unit =
      std::lcm(outline_of(sending_shape(step)).elements, outline_of(receiving_shape(step)).elements);
  return units * unit / outline_of(shape).elements;
}

std::int64_t stride_of(const Step& step, Shape shape) {
  return std::int64_t{outline_of(shape).extent} * element_of(step).bytes;
}

Region take_items(Script& script, const Step& step, Shape shape, std::int64_t items) {
  return script.take(items * stride_of(step, shape));
}

Filling to_move(const Step& step, Region region) { return {region, Fill::bytes, step.data}; }

Filling to_combine(const Step& step, Region region) { return {region, element_of(step).fill, step.data}; }

Argument type_of(Script& script, const Step& step, Shape shape, bool is_odd) {
  if (!has_other_name(step, shape, is_odd)) return script.type(element_of(step), shape);
  return script.named_type(element_of(step), step.odd % odd_ways == 6 ? 2 : 1);
}

Side side_of(Script& script, const Step& step, Shape shape, std::int64_t items, Region region, bool is_odd) {
  Argument type = type_of(script, step, shape, is_odd);
  // MPICH 5.0.2 hangs in calls that move nothing if ranks do not agree on whether the count is 0.
  if (items == 0 && is_odd && has_equal_counts(step) && odd_of(step) != Odd::null) is_odd = false;
  switch (is_odd ? odd_of(step) : Odd::no) {
    case Odd::bottom:
      return {name("MPI_BOTTOM"), number(1), script.at_addresses(type, {items}, {region.first})};
    case Odd::whole:
      return {address(region.first), number(1), script.repeated(type, items)};
    case Odd::null:
      if (items == 0) return {name("NULL"), number(0), type};
      break;
    case Odd::empty:
      if (items == 0) return {name("NULL"), number(2), script.repeated(type, 0)};
      break;
    default:
      break;
  }
  return {address(region.first), number(items), type};
}

void call(Scene& scene, const Step& step, std::string_view function, std::vector<Argument> arguments) {
  scene.script.call(function, std::move(arguments));
  scene.script.calls.back().is_large = step.large != 0 && scene.library.has_large_counts;
}

bool is_in_roots_group(const Step& step, const View& view) {
  return !view.is_inter() || view.is_first == (step.way % 2 == 0);
}

bool is_root(const Step& step, const View& view) {
  return is_in_roots_group(step, view) && step.root % view.size() == view.rank;
}

Argument root_of(const Step& step, const View& view) {
  if (!view.is_inter()) return number(step.root % view.size());
  if (!is_in_roots_group(step, view)) return number(step.root % static_cast<int>(view.remote().size()));
  return name(is_root(step, view) ? "MPI_ROOT" : "MPI_PROC_NULL");
}

}  // namespace rota::programs
