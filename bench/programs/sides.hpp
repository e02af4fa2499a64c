// What a call's data has in common: how items lie in memory, and a buffer, a count and a type for them.
#pragma once

#include <cstdint>
#include <vector>

#include "scene.hpp"
#include "types.hpp"

namespace rota::programs {

const Element& element_of(const Step& step);
Shape sending_shape(const Step& step);
Shape receiving_shape(const Step& step);

/// Items of a shape that hold so many units, which both of the step's shapes fit.
std::int64_t items_of(const Step& step, Shape shape, std::int64_t units);

/// The bytes between two items.
std::int64_t stride_of(const Step& step, Shape shape);

/// Memory for so many items.
Region take_items(Script& script, const Step& step, Shape shape, std::int64_t items);

/// What is moved is any bytes, what is combined small numbers; the same key on all ranks.
Filling to_move(const Step& step, Region region);
Filling to_combine(const Step& step, Region region);

/// As a call is given it.
struct Side {
  Argument buffer;
  Argument count;
  Argument type;
};

/// Items that lie one after the other. On a rank that is odd, in the step's odd way.
Side side_of(Script& script, const Step& step, Shape shape, std::int64_t items, Region region, bool is_odd);

/// The type of a side whose counts and places the call is given apart: odd only by its name.
Argument type_of(Script& script, const Step& step, Shape shape, bool is_odd);

/// The call by its plain or large name.
void call(Scene& scene, const Step& step, std::string_view function, std::vector<Argument> arguments);

/// The root as a rank passes it.
Argument root_of(const Step& step, const View& view);
bool is_root(const Step& step, const View& view);

/// Between two groups: is the rank in the group of the root?
bool is_in_roots_group(const Step& step, const View& view);

}  // namespace rota::programs
