// How the three elements of an item of a derived type lie in memory, and the items one after the other.
//
// Places are in extents x of the element, and bytes. For every shape the items of any buffer lie beside each other without
// overlap: their elements have distinct places. In the drawings an item is 'a', the next 'b', and '|' its address.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace rota::check {

struct Place {
  std::ptrdiff_t extents;
  std::ptrdiff_t bytes = 0;

  constexpr std::ptrdiff_t with(std::ptrdiff_t element_extent) const {
    return extents * element_extent + bytes;
  }
};

struct Shape {
  std::string_view name;
  int elements;  // of one item
  std::array<Place, 3> at;
  Place lower_bound;
  Place extent;
};

inline constexpr std::array shapes{
    Shape{"plain", 1, {{{0}, {0}, {0}}}, {0}, {1}},         // the element itself
    Shape{"tight", 3, {{{0}, {1}, {2}}}, {0}, {3}},         // |aaabbb
    Shape{"gaps", 3, {{{0}, {2}, {3}}}, {0}, {5}},          // |a aa b bb
    Shape{"odd", 3, {{{0}, {1, 1}, {2, 2}}}, {0}, {3, 5}},  // a byte between elements, an odd extent
    Shape{"shifted", 3, {{{2}, {3}, {4}}}, {2}, {3}},       // |  aaabbb
    Shape{"below", 3, {{{-2}, {-1}, {0}}}, {-2}, {3}},      // aa|abbb
    Shape{"permuted", 3, {{{2}, {0}, {1}}}, {0}, {4}},      // |231 231
    Shape{"interleaved", 3, {{{0}, {4}, {8}}}, {0}, {3}},   // |a  ba cb a  b
    Shape{"backward", 3, {{{0}, {1}, {2}}}, {0}, {-3}},     // bbb|aaa
};

constexpr std::size_t shape_index(std::string_view name) {
  std::size_t index = 0;
  while (index < shapes.size() && shapes[index].name != name) ++index;
  return index;
}

}  // namespace rota::check
