#include "elements.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstring>
#include <cwchar>

#include "case.hpp"

// Optional types of MPI are macros where the header has them.
#ifndef MPI_INTEGER16
#define MPI_INTEGER16 MPI_DATATYPE_NULL
#endif
#ifndef MPI_REAL2
#define MPI_REAL2 MPI_DATATYPE_NULL
#endif
#ifndef MPI_REAL16
#define MPI_REAL16 MPI_DATATYPE_NULL
#endif
#ifndef MPI_COMPLEX4
#define MPI_COMPLEX4 MPI_DATATYPE_NULL
#endif
#ifndef MPI_COMPLEX32
#define MPI_COMPLEX32 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL16
#define MPI_LOGICAL16 MPI_DATATYPE_NULL
#endif

namespace rota::check {

namespace {

Element number(std::string_view name, MPI_Datatype type, Kind kind, Format format, std::size_t bytes) {
  const int size = static_cast<int>(bytes);
  return {name, type, kind, {{format, 0, size}}, size};
}

Element c_integer(std::string_view name, MPI_Datatype type, std::size_t bytes) {
  return number(name, type, Kind::c_integer, Format::integer, bytes);
}

Element c_natural(std::string_view name, MPI_Datatype type, std::size_t bytes) {
  return number(name, type, Kind::c_integer, Format::natural, bytes);
}

Element fortran_integer(std::string_view name, MPI_Datatype type, std::size_t bytes) {
  return number(name, type, Kind::fortran_integer, Format::integer, bytes);
}

Element floating(std::string_view name, MPI_Datatype type, std::size_t bytes) {
  return number(name, type, Kind::floating, Format::ieee, bytes);
}

Element logical(std::string_view name, MPI_Datatype type, std::size_t bytes) {
  return number(name, type, Kind::logical, Format::integer, bytes);
}

Element complex(std::string_view name, MPI_Datatype type, Format format, std::size_t part_bytes) {
  const int size = static_cast<int>(part_bytes);
  return {name, type, Kind::complex, {{format, 0, size}, {format, size, size}}, 2 * size};
}

template <class Value, class Index>
Element pair(std::string_view name, MPI_Datatype type, Format format) {
  struct Pair {
    Value value;
    Index index;
  };
  const Format index_format = std::is_integral_v<Index> ? Format::integer : Format::ieee;
  const Part value{format, 0, sizeof(Value)};
  const Part index{index_format, offsetof(Pair, index), sizeof(Index)};
  return {name, type, Kind::pair, {value, index}, sizeof(Pair)};
}

Element matrix() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4, MPI_UINT32_T, &type);
  MPI_Type_commit(&type);
  std::vector<Part> parts;
  for (int offset = 0; offset < matrix_bytes; offset += 4) parts.push_back({Format::integer, offset, 4});
  return {"matrix", type, Kind::matrix, parts, matrix_bytes};
}

std::vector<Element> c_elements() {
  return {
      c_integer("int", MPI_INT, sizeof(int)),
      c_integer("long", MPI_LONG, sizeof(long)),
      c_integer("short", MPI_SHORT, sizeof(short)),
      c_natural("unsigned_short", MPI_UNSIGNED_SHORT, sizeof(short)),
      c_natural("unsigned", MPI_UNSIGNED, sizeof(unsigned)),
      c_natural("unsigned_long", MPI_UNSIGNED_LONG, sizeof(long)),
      c_integer("long_long", MPI_LONG_LONG, sizeof(long long)),
      c_natural("unsigned_long_long", MPI_UNSIGNED_LONG_LONG, sizeof(long long)),
      c_integer("signed_char", MPI_SIGNED_CHAR, 1),
      c_natural("unsigned_char", MPI_UNSIGNED_CHAR, 1),
      c_integer("int8", MPI_INT8_T, 1),
      c_integer("int16", MPI_INT16_T, 2),
      c_integer("int32", MPI_INT32_T, 4),
      c_integer("int64", MPI_INT64_T, 8),
      c_natural("uint8", MPI_UINT8_T, 1),
      c_natural("uint16", MPI_UINT16_T, 2),
      c_natural("uint32", MPI_UINT32_T, 4),
      c_natural("uint64", MPI_UINT64_T, 8),
      number("aint", MPI_AINT, Kind::address, Format::integer, sizeof(MPI_Aint)),
      number("offset", MPI_OFFSET, Kind::address, Format::integer, sizeof(MPI_Offset)),
      number("count", MPI_COUNT, Kind::address, Format::integer, sizeof(MPI_Count)),
      floating("float", MPI_FLOAT, 4),
      floating("double", MPI_DOUBLE, 8),
      number("long_double", MPI_LONG_DOUBLE, Kind::floating, Format::x87, sizeof(long double)),
      logical("c_bool", MPI_C_BOOL, 1),
      logical("cxx_bool", MPI_CXX_BOOL, sizeof(bool)),
      complex("c_float_complex", MPI_C_FLOAT_COMPLEX, Format::ieee, 4),
      complex("c_double_complex", MPI_C_DOUBLE_COMPLEX, Format::ieee, 8),
      complex("c_long_double_complex", MPI_C_LONG_DOUBLE_COMPLEX, Format::x87, sizeof(long double)),
      complex("cxx_float_complex", MPI_CXX_FLOAT_COMPLEX, Format::ieee, 4),
      complex("cxx_double_complex", MPI_CXX_DOUBLE_COMPLEX, Format::ieee, 8),
      complex("cxx_long_double_complex", MPI_CXX_LONG_DOUBLE_COMPLEX, Format::x87, sizeof(long double)),
      number("byte", MPI_BYTE, Kind::byte, Format::integer, 1),
      number("char", MPI_CHAR, Kind::character, Format::integer, 1),
      number("wchar", MPI_WCHAR, Kind::character, Format::integer, sizeof(wchar_t)),
      pair<float, int>("float_int", MPI_FLOAT_INT, Format::ieee),
      pair<double, int>("double_int", MPI_DOUBLE_INT, Format::ieee),
      pair<long, int>("long_int", MPI_LONG_INT, Format::integer),
      pair<int, int>("2int", MPI_2INT, Format::integer),
      pair<short, int>("short_int", MPI_SHORT_INT, Format::integer),
      pair<long double, int>("long_double_int", MPI_LONG_DOUBLE_INT, Format::x87),
  };
}

std::vector<Element> fortran_elements() {
  return {
      fortran_integer("integer", MPI_INTEGER, 4),
      fortran_integer("integer1", MPI_INTEGER1, 1),
      fortran_integer("integer2", MPI_INTEGER2, 2),
      fortran_integer("integer4", MPI_INTEGER4, 4),
      fortran_integer("integer8", MPI_INTEGER8, 8),
      fortran_integer("integer16", MPI_INTEGER16, 16),
      floating("real", MPI_REAL, 4),
      floating("double_precision", MPI_DOUBLE_PRECISION, 8),
      floating("real2", MPI_REAL2, 2),
      floating("real4", MPI_REAL4, 4),
      floating("real8", MPI_REAL8, 8),
      floating("real16", MPI_REAL16, 16),
      logical("logical", MPI_LOGICAL, 4),
      logical("logical1", MPI_LOGICAL1, 1),
      logical("logical2", MPI_LOGICAL2, 2),
      logical("logical4", MPI_LOGICAL4, 4),
      logical("logical8", MPI_LOGICAL8, 8),
      logical("logical16", MPI_LOGICAL16, 16),
      complex("complex", MPI_COMPLEX, Format::ieee, 4),
      complex("double_complex", MPI_DOUBLE_COMPLEX, Format::ieee, 8),
      complex("complex4", MPI_COMPLEX4, Format::ieee, 2),
      complex("complex8", MPI_COMPLEX8, Format::ieee, 4),
      complex("complex16", MPI_COMPLEX16, Format::ieee, 8),
      complex("complex32", MPI_COMPLEX32, Format::ieee, 16),
      number("character", MPI_CHARACTER, Kind::character, Format::integer, 1),
      pair<int, int>("2integer", MPI_2INTEGER, Format::integer),
      pair<float, float>("2real", MPI_2REAL, Format::ieee),
      pair<double, double>("2double_precision", MPI_2DOUBLE_PRECISION, Format::ieee),
  };
}

/// Little-endian, in two's complement.
void write_integer(unsigned char* to, std::int64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    to[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> std::min(8 * i, 63));
    if (i >= 8) to[i] = value < 0 ? 0xff : 0;
  }
}

int exponent_bits(int bytes) {
  switch (bytes) {
    case 2:
      return 5;
    case 4:
      return 8;
    case 8:
      return 11;
    default:
      return 15;
  }
}

/// IEEE 754 binary16, 32, 64 or 128, without a type of the compiler's: sign, biased exponent, fraction. Exact
/// for values of at most eleven bits.
void write_ieee(unsigned char* to, std::int64_t value, int bytes) {
  std::fill_n(to, bytes, static_cast<unsigned char>(0));
  if (value == 0) return;
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const int width = exponent_bits(bytes);
  const int biased = exponent + (1 << (width - 1)) - 1;
  const auto set_bit = [&](int bit) { to[bit / 8] |= static_cast<unsigned char>(1U << (bit % 8)); };
  const int fraction_bits = 8 * bytes - 1 - width;
  for (int i = 0; i < exponent; ++i) {
    if ((magnitude >> i & 1U) != 0) set_bit(fraction_bits - exponent + i);
  }
  for (int i = 0; i < width; ++i) {
    if ((biased >> i & 1) != 0) set_bit(fraction_bits + i);
  }
  if (value < 0) set_bit(8 * bytes - 1);
}

void write_x87(unsigned char* to, std::int64_t value) {
  const auto number = static_cast<long double>(value);
  std::memcpy(to, &number, sizeof number);
}

void write_number(unsigned char* to, const Part& part, std::int64_t value) {
  switch (part.format) {
    case Format::integer:
    case Format::natural:
      return write_integer(to + part.offset, value, part.bytes);
    case Format::ieee:
      return write_ieee(to + part.offset, value, part.bytes);
    case Format::x87:
      return write_x87(to + part.offset, value);
  }
}

void write_bytes(unsigned char* to, const Part& part, Random& random) {
  for (int i = 0; i < part.bytes; ++i) to[part.offset + i] = static_cast<unsigned char>(random.next());
}

/// Factors whose products are exact and have no part that is zero, the sign of which would depend on the
/// order: units times (2 + i), no power of which is real or imaginary. Of many ranks, only eight contribute
/// more than a 1.
void write_complex_factor(unsigned char* to, const Element& element, int rank, Random& random) {
  constexpr std::array<std::array<int, 2>, 4> factors{{{2, 1}, {-1, 2}, {-2, -1}, {1, -2}}};
  const auto& factor = factors[static_cast<std::size_t>(random.below(4))];
  write_number(to, element.parts[0], rank < 8 ? factor[0] : 1);
  write_number(to, element.parts[1], rank < 8 ? factor[1] : 0);
}

/// Factors whose products of any number of ranks fit into eight bits.
std::int64_t factor(bool is_signed, int rank, Random& random) {
  const std::int64_t sign = is_signed && random.once_in(2) ? -1 : 1;
  return rank < 6 ? sign * random.between(1, 2) : sign;
}

/// Summands whose sums fit into eight bits up to fifty ranks. Open MPI 5.0.11 (with AVX) adds numbers of
/// eight and sixteen bits with saturation in long runs and without in short ones, so that sums that do not
/// fit depend on how data is cut.
std::int64_t summand(bool is_signed, int rank, Random& random) {
  const std::int64_t most = rank < 10 ? 8 : 1;
  return random.between(is_signed ? -most : 0, most);
}

/// Few values, so that there are ties, and places that tell who won.
void write_pair(unsigned char* to, const Element& element, Random& random) {
  write_number(to, element.parts[0], random.between(-3, 3));
  write_number(to, element.parts[1], random.below(1000));
}

std::int64_t truth(const Element& element, Random& random) {
  const std::int64_t value = random.once_in(3) ? 0 : random.between(1, 100);
  return element.kind == Kind::logical ? value != 0 : value;
}

std::int64_t operand(const std::string& op, const Element& element, int rank, Random& random) {
  const bool is_signed = element.parts[0].format != Format::natural;
  if (op == "prod") return factor(is_signed, rank, random);
  if (op == "max" || op == "min") return random.between(-100, 100);
  if (op[0] == 'l') return truth(element, random);
  return summand(is_signed, rank, random);
}

bool takes_any_bytes(const std::string& op) { return op.empty() || op[0] == 'b' || op.starts_with("user_"); }

}  // namespace

const std::vector<Element>& elements() {
  static const std::vector<Element> all = [] {
    std::vector<Element> list = c_elements();
    for (Element& element : fortran_elements()) list.push_back(std::move(element));
    list.push_back(matrix());
    return list;
  }();
  return all;
}

const Element& find_element(const std::string& name) {
  for (const Element& element : elements()) {
    if (element.name == name) return element;
  }
  std::string valid;
  for (const Element& element : elements()) valid.append(" ").append(element.name);
  throw BadCase("'type=" + name + "' is no type; valid:" + valid);
}

bool is_available(const Element& element) {
  int size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  if (element.type == MPI_DATATYPE_NULL) return false;
  if (MPI_Type_size(element.type, &size) != MPI_SUCCESS || size <= 0) return false;
  MPI_Type_get_extent(element.type, &lower_bound, &extent);
  return extent == element.extent;
}

void write_element(unsigned char* to, const Element& element, const std::string& op, int rank,
                   Random& random) {
  if (element.kind == Kind::pair && !op.empty()) return write_pair(to, element, random);
  if (element.kind == Kind::complex && op == "prod") return write_complex_factor(to, element, rank, random);
  for (const Part& part : element.parts) {
    takes_any_bytes(op) ? write_bytes(to, part, random)
                        : write_number(to, part, operand(op, element, rank, random));
  }
}

}  // namespace rota::check
