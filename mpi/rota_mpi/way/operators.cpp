#include "rota_mpi/way/operators.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rota::mpi {

namespace {

/// The kinds of types by which MPI's table defines operators, as a set of bits.
enum Kind : std::uint8_t { integer = 1, floating = 2, logical = 4, complex = 8, byte = 16, pair = 32 };

struct KindOfType {
  MPI_Datatype type;
  unsigned kind;
};

struct KindsOfOp {
  MPI_Op op;
  unsigned kinds;
};

unsigned kind_of(MPI_Datatype type) {
  static const KindOfType types[] = {
      {MPI_INT, integer},
      {MPI_DOUBLE, floating},
      {MPI_FLOAT, floating},
      {MPI_LONG, integer},
      {MPI_LONG_LONG, integer},
      {MPI_SHORT, integer},
      {MPI_SIGNED_CHAR, integer},
      {MPI_UNSIGNED_CHAR, integer},
      {MPI_UNSIGNED_SHORT, integer},
      {MPI_UNSIGNED, integer},
      {MPI_UNSIGNED_LONG, integer},
      {MPI_UNSIGNED_LONG_LONG, integer},
      {MPI_INT8_T, integer},
      {MPI_INT16_T, integer},
      {MPI_INT32_T, integer},
      {MPI_INT64_T, integer},
      {MPI_UINT8_T, integer},
      {MPI_UINT16_T, integer},
      {MPI_UINT32_T, integer},
      {MPI_UINT64_T, integer},
      {MPI_AINT, integer},
      {MPI_OFFSET, integer},
      {MPI_COUNT, integer},
      {MPI_LONG_DOUBLE, floating},
      {MPI_C_BOOL, logical},
      {MPI_C_COMPLEX, complex},
      {MPI_C_FLOAT_COMPLEX, complex},
      {MPI_C_DOUBLE_COMPLEX, complex},
      {MPI_C_LONG_DOUBLE_COMPLEX, complex},
      {MPI_BYTE, byte},
      {MPI_FLOAT_INT, pair},
      {MPI_DOUBLE_INT, pair},
      {MPI_LONG_INT, pair},
      {MPI_2INT, pair},
      {MPI_SHORT_INT, pair},
      {MPI_LONG_DOUBLE_INT, pair},
      {MPI_INTEGER, integer},
      {MPI_REAL, floating},
      {MPI_DOUBLE_PRECISION, floating},
      {MPI_LOGICAL, logical},
      {MPI_COMPLEX, complex},
      {MPI_DOUBLE_COMPLEX, complex},
      {MPI_2REAL, pair},
      {MPI_2DOUBLE_PRECISION, pair},
      {MPI_2INTEGER, pair},
      {MPI_INTEGER1, integer},
      {MPI_INTEGER2, integer},
      {MPI_INTEGER4, integer},
      {MPI_INTEGER8, integer},
      {MPI_REAL4, floating},
      {MPI_REAL8, floating},
      {MPI_COMPLEX8, complex},
      {MPI_COMPLEX16, complex},
      {MPI_CXX_BOOL, logical},
  };
  // Types that an MPI library was built without have the handle of no type.
  if (type == MPI_DATATYPE_NULL) return 0;
  const auto* const found = std::ranges::find(types, type, &KindOfType::type);
  return found == std::end(types) ? 0 : found->kind;
}

constexpr unsigned any_type = ~0U;

unsigned kinds_of(MPI_Op op) {
  static const KindsOfOp ops[] = {
      {MPI_SUM, integer | floating | complex},
      {MPI_PROD, integer | floating | complex},
      {MPI_MAX, integer | floating},
      {MPI_MIN, integer | floating},
      {MPI_LAND, integer | logical},
      {MPI_LOR, integer | logical},
      {MPI_LXOR, integer | logical},
      {MPI_BAND, integer | byte},
      {MPI_BOR, integer | byte},
      {MPI_BXOR, integer | byte},
      {MPI_MAXLOC, pair},
      {MPI_MINLOC, pair},
      {MPI_OP_NULL, 0},
      {MPI_REPLACE, 0},
      {MPI_NO_OP, 0},
  };
  const auto* const found = std::ranges::find(ops, op, &KindsOfOp::op);
  return found == std::end(ops) ? any_type : found->kinds;
}

}  // namespace

bool is_defined(MPI_Op op, MPI_Datatype type) {
  const unsigned kinds = kinds_of(op);
  return kinds == any_type || (kinds & kind_of(type)) != 0;
}

bool is_of_program(MPI_Op op) { return kinds_of(op) == any_type; }

bool is_exact(MPI_Op op, MPI_Datatype type) {
  constexpr unsigned exact_kinds = integer | logical | byte;
  const unsigned kinds = kinds_of(op);
  return kinds != any_type && (kinds & exact_kinds & kind_of(type)) != 0;
}

}  // namespace rota::mpi
