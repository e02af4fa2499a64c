#include "rota_mpi/border.hpp"

namespace rota::mpi {

std::optional<Place> place_in(MPI_Comm comm) {
  Place place{};
  if (comm == MPI_COMM_NULL || PMPI_Comm_size(comm, &place.ranks) != MPI_SUCCESS) return {};
  check(PMPI_Comm_rank(comm, &place.rank));
  return place;
}

bool is_inter(MPI_Comm comm) {
  int result = 0;
  check(PMPI_Comm_test_inter(comm, &result));
  return result != 0;
}

/// Packing nothing shows it; MPI has no question for it.
bool is_committed(MPI_Datatype type, MPI_Comm returns_errors) {
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, returns_errors) == MPI_SUCCESS;
}

}  // namespace rota::mpi
