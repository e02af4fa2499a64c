// How much each rank has for each other, and where that lies.
#pragma once

#include <cstdint>
#include <vector>

#include "program.hpp"

namespace rota::programs {

/// Units that rank `from` has for rank `to` of a communicator. By the step's pattern: 0: `count`; 1: up to
/// twice as many; 2: half of them none; 3: only one rank sends; 4: `count` times from mod 3; in place, as
/// many both ways. A rank that is odd by having nothing (odd.hpp) sends and gets nothing.
std::int64_t amount(const Step& step, int from, int to, int size);

/// Units that a rank has for all, in the same way.
std::int64_t share(const Step& step, int from, int size);

/// Where the items of each lie one after the other, in items, by the step's displs: 0: packed; 1: gaps
/// between them; 2: in the opposite order; and, where there are none, 3: anywhere.
std::vector<std::int64_t> places(const Step& step, const std::vector<std::int64_t>& counts);

}  // namespace rota::programs
