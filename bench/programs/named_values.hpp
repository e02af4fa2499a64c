// What the names in a program's calls stand for: MPI's constants, and functions of the program's.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace rota::programs {

[[noreturn]] inline void fail(std::string_view what) {
  throw std::logic_error("an argument that the call does not take: " + std::string(what));
}

/// A value for a parameter of that type.
template <class Parameter, class Value>
Parameter as(Value value) {
  if constexpr (std::is_convertible_v<Value, Parameter>) {
    return static_cast<Parameter>(value);
  } else {
    fail("of another type");
  }
}

template <class Value>
using Names = std::unordered_map<std::string_view, Value>;

const Names<MPI_Datatype>& named_types();
const Names<MPI_Op>& named_ops();
const Names<int>& named_numbers();
const Names<void*>& named_pointers();
const Names<MPI_Comm_copy_attr_function*>& copying_functions();
const Names<MPI_Comm_delete_attr_function*>& deleting_functions();
const Names<MPI_Comm_errhandler_function*>& handling_functions();
const Names<MPI_User_function*>& combining_functions();

/// The value of a name: names are unique, whatever the type.
template <class Parameter>
Parameter named(std::string_view name) {
  const auto in = [&](const auto& all, auto use) {
    const auto found = all.find(name);
    if (found == all.end()) return false;
    use(found->second);
    return true;
  };
  Parameter result{};
  const auto take = [&](auto value) { result = as<Parameter>(value); };
  const bool is_found = in(named_types(), take) || in(named_ops(), take) || in(named_numbers(), take) ||
                        in(named_pointers(), take) || in(copying_functions(), take) ||
                        in(deleting_functions(), take) || in(handling_functions(), take) ||
                        in(combining_functions(), take);
  if (is_found) return result;
  if (name == "MPI_UNWEIGHTED") return as<Parameter>(MPI_UNWEIGHTED);
  if (name == "MPI_STATUS_IGNORE") return as<Parameter>(MPI_STATUS_IGNORE);
  if (name == "MPI_INFO_NULL") return as<Parameter>(MPI_INFO_NULL);
  if (name == "MPI_ERRORS_RETURN") return as<Parameter>(MPI_ERRORS_RETURN);
  if (name == "MPI_COMM_NULL") return as<Parameter>(MPI_COMM_NULL);
  fail(name);
}

}  // namespace rota::programs
