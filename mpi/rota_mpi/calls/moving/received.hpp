// What an allgather's rank receives, and from whom: those of the own group, or between two groups of the other.
#pragma once

#include <vector>

#include "rota_mpi/data/items.hpp"
#include "rota_mpi/data/numbers.hpp"

namespace rota::mpi {

/// From rank r `counts[r]` items at `displacements[r]` items from `buffer`.
struct Received {
  void* buffer;
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
  MPI_Datatype type;

  /// Of a rank without items nobody asks the type.
  Data from(Rank rank) const {
    const auto r = static_cast<std::size_t>(rank);
    if (counts[r] == 0) return {buffer, 0, type};
    return {static_cast<std::byte*>(buffer) + displacements[r] * extent_of(type), counts[r], type};
  }
};

/// What comes from each rank.
std::vector<Data> pieces_of(const Received& received);

/// Equal shares of `senders` ranks, one after the other.
Received regular(void* buffer, MPI_Count count, MPI_Datatype type, Rank senders);

/// Nothing of nobody where there is no array.
Received irregular(void* buffer, Numbers counts, Numbers displacements, MPI_Datatype type, Rank senders);

}  // namespace rota::mpi
