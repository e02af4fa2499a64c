// What the cost model knows of a platform, measured.
#pragma once

#include "rota_mpi/settings/profile.hpp"

namespace rota::tune {

/// Ranks, hosts and network of MPI_COMM_WORLD; nothing of collectives yet. Collective; the same on all ranks.
mpi::Profile measured_platform();

}  // namespace rota::tune
