// The whole of the C++ test framework: a test is an executable whose main throws at the first thing that does not hold.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

inline void require(bool holds, const std::string& what,
                    const std::source_location& where = std::source_location::current()) {
  if (!holds) throw std::runtime_error("line " + std::to_string(where.line()) + ": " + what);
}
