// What an allgather's rank receives, and from whom.
#pragma once

#include <vector>

#include "rota_mpi/items.hpp"
#include "rota_mpi/shares.hpp"

namespace rota::mpi {

/// How many ranks' items an allgather brings: those of the own group, or between two groups of the other; 0
/// for what is no communicator.
Rank senders_in(MPI_Comm comm);

/// From rank r `counts[r]` items at `displacements[r]` items from `buffer`.
struct Received {
  void* buffer;
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
  MPI_Datatype type;

  Data from(Rank rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {static_cast<std::byte*>(buffer) + displacements[r] * extent_of(type), counts[r], type};
  }
};

/// Equal shares, one after the other.
Received regular(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Comm comm);

template <class Count, class Displacement>
Received irregular(void* buffer, const Count* counts, const Displacement* displacements, MPI_Datatype type,
                   MPI_Comm comm) {
  const Rank ranks = counts == nullptr || displacements == nullptr ? 0 : senders_in(comm);
  return {buffer, std::vector<MPI_Count>(counts, counts + ranks),
          std::vector<MPI_Aint>(displacements, displacements + ranks), type};
}

}  // namespace rota::mpi
