// The types that data is made of: MPI's predefined ones, and a matrix for user operators.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "random.hpp"

namespace rota::check {

/// How a part of an element is written: as a whole number, with or without a sign, or as a binary floating
/// point number of IEEE 754 or of the x87.
enum class Format : std::uint8_t { integer, natural, ieee, x87 };

/// MPI's groups of types, by which it defines where operators apply.
enum class Kind : std::uint8_t {
  c_integer,
  fortran_integer,
  address,
  floating,
  logical,
  complex,
  byte,
  character,
  pair,
  matrix
};

struct Part {
  Format format;
  int offset;
  int bytes;
};

struct Element {
  std::string_view name;
  MPI_Datatype type;  // MPI_DATATYPE_NULL: this MPI's header has none
  Kind kind;
  std::vector<Part> parts;
  int extent;
};

/// Sixteen bytes: a 2 x 2 matrix of unsigned numbers. The only element that is a derived type itself.
constexpr int matrix_bytes = 16;

/// All elements; call it after MPI_Init. Types that an MPI lacks are listed too, so that a case has the same
/// number with all.
const std::vector<Element>& elements();

/// Throws BadCase.
const Element& find_element(const std::string& name);

/// Does this MPI have the type, laid out as expected?
bool is_available(const Element& element);

/// Writes data of `rank` for which `op` gives the same bits in every order; any bytes if op is empty or the
/// user's. Other bytes of the element stay.
void write_element(unsigned char* to, const Element& element, const std::string& op, int rank,
                   Random& random);

}  // namespace rota::check
