// Calls a function of MPI's with a program's arguments, as its parameters want them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "call.hpp"
#include "machine.hpp"
#include "named_values.hpp"

namespace rota::programs {

template <class Parameter>
using Pointee = std::remove_const_t<std::remove_pointer_t<Parameter>>;

template <class Table>
auto& at(Table& table, std::int64_t index) {
  return table.at(static_cast<std::size_t>(index));
}

/// Memory for the arrays of one call.
template <class Element>
Element* new_array(Machine& machine, std::size_t length) {
  static_assert(sizeof(Element) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<Element>);
  machine.arrays.push_back(std::make_unique<std::uint64_t[]>(length + 1));
  return reinterpret_cast<Element*>(machine.arrays.back().get());
}

template <class Parameter>
Parameter numbers_for(Machine& machine, const Argument& argument) {
  if constexpr (std::is_pointer_v<Parameter> && std::is_integral_v<Pointee<Parameter>>) {
    using Number = Pointee<Parameter>;
    auto* all = new_array<Number>(machine, argument.numbers.size());
    const bool is_absolute = argument.kind == Kind::addresses;
    const std::int64_t origin =
        is_absolute ? static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(machine.memory.data())) : 0;
    std::ranges::transform(argument.numbers, all,
                           [&](std::int64_t value) { return static_cast<Number>(value + origin); });
    return all;
  } else {
    fail("an array of numbers");
  }
}

template <class Parameter>
Parameter resolved(Machine& machine, const Argument& argument);

template <class Parameter>
Parameter parts_for(Machine& machine, const Argument& argument) {
  if constexpr (std::is_pointer_v<Parameter> && std::is_same_v<Pointee<Parameter>, MPI_Datatype>) {
    auto* all = new_array<MPI_Datatype>(machine, argument.parts.size());
    std::ranges::transform(argument.parts, all,
                           [&](const Argument& part) { return resolved<MPI_Datatype>(machine, part); });
    return all;
  } else {
    fail("an array of types");
  }
}

/// Uses the place in the machine's tables that an argument names.
template <class Use>
auto with_slot(Machine& machine, const Argument& argument, Use use) {
  const std::int64_t index = argument.number;
  switch (argument.kind) {
    case Kind::comm:
      return use(at(machine.comms, index));
    case Kind::group:
      return use(at(machine.groups, index));
    case Kind::type:
      return use(at(machine.types, index));
    case Kind::op:
      return use(at(machine.ops, index));
    case Kind::request:
      return use(at(machine.requests, index));
    case Kind::session:
      return use(at(machine.sessions, index));
    case Kind::handler:
      return use(at(machine.handlers, index));
    case Kind::keyval:
      return use(at(machine.keyvals, index));
    case Kind::status:
      return use(at(machine.statuses, index));
    case Kind::value:
      return use(at(machine.values, index));
    default:
      return use(at(machine.flags, index));
  }
}

template <class Parameter>
Parameter resolved(Machine& machine, const Argument& argument) {
  switch (argument.kind) {
    case Kind::number:
      return as<Parameter>(argument.number);
    case Kind::name:
      return named<Parameter>(argument.name);
    case Kind::address:
      return as<Parameter>(static_cast<void*>(machine.memory.data() + argument.number));
    case Kind::numbers:
    case Kind::addresses:
      return numbers_for<Parameter>(machine, argument);
    case Kind::parts:
      return parts_for<Parameter>(machine, argument);
    case Kind::value:
      // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is there; MPI only hands it back
      return as<Parameter>(reinterpret_cast<void*>(static_cast<std::intptr_t>(argument.number)));
    case Kind::text:
      // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): all of a literal
      return as<Parameter>(argument.name.data());
    case Kind::out:
      return with_slot(machine, argument.parts[0], [](auto& place) { return as<Parameter>(&place); });
    default:
      return with_slot(machine, argument, [](auto& place) { return as<Parameter>(place); });
  }
}

using Arguments = std::vector<Argument>;

template <class... Parameters, std::size_t... Positions>
int invoked(int (*function)(Parameters...), Machine& machine, const Arguments& arguments,
            std::index_sequence<Positions...> /*positions*/) {
  if (arguments.size() != sizeof...(Parameters)) fail("their number");
  return function(resolved<Parameters>(machine, arguments[Positions])...);
}

/// Calls any function of MPI's.
template <class... Parameters>
int invoked(int (*function)(Parameters...), Machine& machine, const Arguments& arguments) {
  return invoked(function, machine, arguments, std::index_sequence_for<Parameters...>());
}

}  // namespace rota::programs
