// The schedules that are worth a measurement, beside the native collective.
#pragma once

#include <cstdint>
#include <vector>

#include "rota_mpi/decide/choose.hpp"

namespace rota::tune {

/// A schedule with about so many bytes a message.
struct Rival {
  const Algorithm* algorithm = nullptr;
  std::int64_t message_bytes = 0;
};

/// For calls of `bytes`, cut into items of `item_bytes`: the schedules that the model predicts within twice
/// the best one's time on the profile's network; those that are pipelined with the model's message size and
/// with some fixed ones. No two of them are the same schedule.
std::vector<Rival> rivals(Collective collective, std::int64_t bytes, std::int64_t item_bytes,
                          const mpi::Profile& profile);

}  // namespace rota::tune
