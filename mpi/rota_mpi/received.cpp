#include "rota_mpi/received.hpp"

namespace rota::mpi {

Rank senders_in(MPI_Comm comm) {
  int is_inter = 0;
  Rank ranks = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS) return 0;
  check((is_inter != 0 ? PMPI_Comm_remote_size : PMPI_Comm_size)(comm, &ranks));
  return ranks;
}

Received regular(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
  const auto ranks = static_cast<std::size_t>(senders_in(comm));
  Received received{buffer, std::vector<MPI_Count>(ranks, count), std::vector<MPI_Aint>(ranks), type};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    received.displacements[rank] = static_cast<MPI_Aint>(rank) * static_cast<MPI_Aint>(count);
  }
  return received;
}

}  // namespace rota::mpi
