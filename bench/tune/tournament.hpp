// All collectives, size by size, for as long as there is time.
#pragma once

#include <functional>

#include "clock.hpp"
#include "match.hpp"

namespace rota::tune {

/// Adds to the profile what was measured of every collective on 8 B, 32 B, ... 8 MiB. The smallest size is
/// always measured; a collective ends when its next size may not be done within `seconds`, or when one native
/// call took more than two. `on_match` is called before each. Collective; the same on all ranks.
mpi::Profile with_collectives(mpi::Profile profile, const Clock& clock, double seconds,
                              const std::function<void(const Match&)>& on_match);

}  // namespace rota::tune
