// One collective on data of one size: the native one against its rivals.
#pragma once

#include <cstdint>

#include "rota_mpi/settings/profile.hpp"

namespace rota::tune {

/// A collective on so many bytes in all, as MPI_COMM_WORLD calls it.
struct Match {
  Collective collective = Collective::broadcast;
  std::int64_t bytes = 0;
};

/// The bytes that a match of about so many really has: every rank's share is the same number of whole items.
std::int64_t whole_bytes(Collective collective, std::int64_t bytes, Rank ranks);

/// Medians of the native collective and of the best schedule. `profile` has ranks and network. Collective;
/// the same on all ranks. Throws std::runtime_error if any way gives wrong results.
mpi::Measurement winner(const Match& match, const mpi::Profile& profile);

}  // namespace rota::tune
