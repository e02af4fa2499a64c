// Data of which every rank has a share: what allgathers and reduce-scatters have in common.
#pragma once

#include <vector>

#include "rota_mpi/decide/choose.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// The items of all ranks together.
MPI_Count sum_of(const std::vector<MPI_Count>& counts);

/// Items before each rank's share, and behind the last one all of them.
std::vector<MPI_Count> prefix_sums(const std::vector<MPI_Count>& counts);

/// The call whose ranks' shares are counts[rank] items of the type each; ranks without items own nothing.
/// Throws MpiError.
Call shared_call(Collective collective, const std::vector<MPI_Count>& counts, MPI_Datatype type);

}  // namespace rota::mpi
