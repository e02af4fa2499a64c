// The elements of buffers and how items made of them lie in memory; by names of MPI's only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rota::programs {

/// What the numbers of an element are: data that sums are exact with.
enum class Fill : std::uint8_t { bytes, int16, int32, int64, float32, float64 };

struct Element {
  std::string_view name;                 // of MPI's type; empty: two MPI_UINT32_T, for the user's operators
  std::array<std::string_view, 2> same;  // equal types by other names
  int bytes;
  Fill fill;                                  // for reductions; what is only moved is any bytes
  std::array<std::string_view, 4> operators;  // MPI's, or the program's own
};

inline constexpr std::array elements{
    Element{"MPI_INT",
            {"MPI_INT32_T", "MPI_INTEGER4"},
            4,
            Fill::int32,
            {"MPI_SUM", "MPI_MAX", "MPI_BXOR", "MPI_BAND"}},
    Element{"MPI_DOUBLE",
            {"MPI_REAL8", "MPI_DOUBLE_PRECISION"},
            8,
            Fill::float64,
            {"MPI_SUM", "MPI_MIN", "MPI_MAX", "MPI_SUM"}},
    Element{"MPI_BYTE",
            {"MPI_BYTE", "MPI_BYTE"},
            1,
            Fill::bytes,
            {"MPI_BXOR", "MPI_BAND", "MPI_BOR", "MPI_BXOR"}},
    Element{"MPI_SHORT",
            {"MPI_INT16_T", "MPI_INTEGER2"},
            2,
            Fill::int16,
            {"MPI_SUM", "MPI_MIN", "MPI_BOR", "MPI_BXOR"}},
    Element{"MPI_LONG",
            {"MPI_INT64_T", "MPI_INTEGER8"},
            8,
            Fill::int64,
            {"MPI_SUM", "MPI_MAX", "MPI_BXOR", "MPI_MIN"}},
    Element{"MPI_FLOAT",
            {"MPI_REAL4", "MPI_REAL"},
            4,
            Fill::float32,
            {"MPI_SUM", "MPI_MIN", "MPI_MAX", "MPI_SUM"}},
    Element{"MPI_2INT",
            {"MPI_2INT", "MPI_2INTEGER"},
            8,
            Fill::int32,
            {"MPI_MAXLOC", "MPI_MINLOC", "MPI_MAXLOC", "MPI_MINLOC"}},
    Element{"", {"", ""}, 8, Fill::bytes, {"add_pairs", "compose_maps", "compose_maps", "add_pairs"}},
};

/// Is it one of the program's own: two functions, the second of which does not commute?
constexpr bool is_own_operator(std::string_view name) {
  return name == "add_pairs" || name == "compose_maps";
}

/// In a buffer, items lie beside each other without overlap. In the drawings an item is 'a', the next 'b'.
enum class Shape : std::uint8_t {
  plain,       // ab: the element itself
  contiguous,  // aaabbb
  vector,      // a ab b
  resized,     // a b
  indexed,     // 23 1 23 1: in another order
  structure,   // a ab b, and a part without elements
  duplicate,   // ab
  bounded,     // aa bb: from lower bound -1 to 2
};

struct Outline {
  int elements;  // of one item
  int extent;    // in elements
};

inline constexpr std::array<Outline, 8> outlines{
    {{1, 1}, {3, 3}, {2, 3}, {1, 2}, {3, 4}, {2, 3}, {1, 1}, {2, 3}}};

}  // namespace rota::programs
