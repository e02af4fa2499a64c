// Data of which every rank has a share: what allgathers and reduce-scatters have in common.
#pragma once

#include <numeric>
#include <vector>

#include "rota_mpi/choose.hpp"
#include "rota_mpi/mpi.hpp"

namespace rota::mpi {

/// How many ranks an intra-communicator has; 0 for what is none.
Rank ranks_of(MPI_Comm comm);

/// One entry for each rank of `comm`, from an array of MPI's.
template <class To, class From>
std::vector<To> entries(const From* array, MPI_Comm comm) {
  const Rank ranks = array == nullptr ? 0 : ranks_of(comm);
  return std::vector<To>(array, array + ranks);
}

/// The items of all ranks together.
MPI_Count sum_of(const std::vector<MPI_Count>& counts);

/// The same from an array of MPI's with an entry for each rank of `comm`.
template <class Count>
MPI_Count sum_of(const Count* counts, MPI_Comm comm) {
  const Rank ranks = counts == nullptr ? 0 : ranks_of(comm);
  return std::accumulate(counts, counts + ranks, MPI_Count{0});
}

/// Items before each rank's share, and behind the last one all of them.
std::vector<MPI_Count> prefix_sums(const std::vector<MPI_Count>& counts);

/// The call whose ranks' shares are counts[rank] items of `item_bytes` each; ranks without items own nothing.
Call shared_call(Collective collective, const std::vector<MPI_Count>& counts, MPI_Count item_bytes);

}  // namespace rota::mpi
