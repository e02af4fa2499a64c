#include "rota_mpi/calls/moving/received.hpp"

namespace rota::mpi {

std::vector<Data> pieces_of(const Received& received) {
  const auto ranks = static_cast<Rank>(received.counts.size());
  std::vector<Data> pieces;
  pieces.reserve(received.counts.size());
  for (Rank rank = 0; rank < ranks; ++rank) pieces.push_back(received.from(rank));
  return pieces;
}

Received regular(void* buffer, MPI_Count count, MPI_Datatype type, Rank senders) {
  const auto ranks = static_cast<std::size_t>(senders);
  Received received{buffer, std::vector<MPI_Count>(ranks, count), std::vector<MPI_Aint>(ranks), type};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    received.displacements[rank] = static_cast<MPI_Aint>(rank) * static_cast<MPI_Aint>(count);
  }
  return received;
}

Received irregular(void* buffer, Numbers counts, Numbers displacements, MPI_Datatype type, Rank senders) {
  const Rank ranks = counts.is_null() || displacements.is_null() ? 0 : senders;
  return {buffer, counts.copied<MPI_Count>(ranks), displacements.copied<MPI_Aint>(ranks), type};
}

}  // namespace rota::mpi
