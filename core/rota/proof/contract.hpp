// What each collective starts from and what it promises: the two ends of verification.
#pragma once

#include <map>

#include "rota/proof/contributions.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The blocks that one rank holds, with their values.
using Holdings = std::map<Block, Contributions>;

/// What `rank` holds before the first round.
Holdings precondition(const Problem& problem, Rank rank);

/// What `rank` must hold after the last round; it may hold more.
Holdings postcondition(const Problem& problem, Rank rank);

/// Must contributions be combined in the order of ranks?
bool order_matters(const Problem& problem);

}  // namespace rota
