// What every printed program begins with, and the functions of its own that it may need.
#pragma once

#include <span>
#include <string_view>

namespace rota::programs {

std::string_view printed_beginning();

/// A helper of the printed program, needed where its name occurs.
struct Helper {
  std::string_view name;
  std::string_view text;
};

/// In the order in which they need each other.
std::span<const Helper> printed_helpers();

}  // namespace rota::programs
