// Cases that cannot be tried with this MPI.
#pragma once

#include <string>

#include "case.hpp"

namespace rota::check {

/// Why the case is left out; empty if it can be tried. The same on all ranks.
std::string reason_to_skip(const Case& c, int provided_threads);

}  // namespace rota::check
