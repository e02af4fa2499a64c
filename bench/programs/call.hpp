// One call of a rank's program, MPI's or one of the few of our own (machine.hpp), as data: it is carried out (interpret.cpp) or
// printed as C (print_c.cpp).
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace rota::programs {

/// An argument: a number, a name of MPI's, or a place in the tables of the rank's thread.
struct Argument {
  enum class Kind : std::uint8_t {
    number,
    name,       // MPI_IN_PLACE, MPI_INT, ...
    address,    // of byte `value` of the thread's memory
    numbers,    // an array
    addresses,  // an array of the absolute addresses of bytes of the thread's memory
    parts,      // an array of other arguments
    comm,
    group,
    type,
    op,
    request,
    session,
    handler,
    keyval,
    value,  // a pointer with this number, as attributes are
    status,
    flag,
    text,
    out,  // the address of what `parts[0]` names
  };

  Kind kind;
  std::int64_t number = 0;
  std::string_view name{};  // NOLINT(readability-redundant-member-init): GCC takes it for forgotten
  std::vector<std::int64_t> numbers{};  // NOLINT(readability-redundant-member-init)
  std::vector<Argument> parts{};        // NOLINT(readability-redundant-member-init)

  friend bool operator==(const Argument&, const Argument&) = default;
};

struct Call {
  std::string_view function;
  std::vector<Argument> arguments;
  bool is_large = false;       // the form with large counts, ..._c
  bool is_incomplete = false;  // begins what goes on behind it, or is set up: its arrays stay

  friend bool operator==(const Call&, const Call&) = default;
};

using Kind = Argument::Kind;

inline Argument number(std::int64_t value) { return {Kind::number, value}; }
inline Argument name(std::string_view what) { return {Kind::name, 0, what}; }
inline Argument text(std::string_view what) { return {Kind::text, 0, what}; }
inline Argument address(std::int64_t byte) { return {Kind::address, byte}; }
inline Argument numbers(std::vector<std::int64_t> values) {
  return {Kind::numbers, 0, {}, std::move(values)};
}
inline Argument addresses(std::vector<std::int64_t> bytes) {
  return {Kind::addresses, 0, {}, std::move(bytes)};
}
inline Argument array(std::vector<Argument> parts) { return {Kind::parts, 0, {}, {}, std::move(parts)}; }
inline Argument slot(Kind kind, std::int64_t index) { return {kind, index}; }
inline Argument out(Kind kind, std::int64_t index) { return {Kind::out, 0, {}, {}, {slot(kind, index)}}; }

}  // namespace rota::programs
