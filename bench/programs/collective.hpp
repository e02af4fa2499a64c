// A collective on one rank, before it is said how it is called.
#pragma once

#include <vector>

#include "call.hpp"
#include "program.hpp"
#include "types.hpp"

namespace rota::programs {

/// Bytes of the thread's memory, with untouched ones around them.
struct Region {
  std::int64_t first;
  std::int64_t bytes;
};

/// Data that a call is given: others on each rank and for each key.
struct Filling {
  Region region;
  Fill with;
  std::int64_t key;
};

struct Collective {
  // NOLINTBEGIN(readability-redundant-member-init): GCC takes them for forgotten.
  std::vector<Argument> arguments{};  // of the blocking form
  std::vector<Filling> given{};       // before each time that it is carried out
  std::vector<Region> undefined{};    // MPI says nothing of what is there in the end
  std::vector<Region> seen{};         // in the end
  // NOLINTEND(readability-redundant-member-init)
};

/// MPI's name of a collective, in whichever form.
std::string_view name_of(Action action);

}  // namespace rota::programs
