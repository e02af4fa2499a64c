#include "rota_mpi/border.hpp"

namespace rota::mpi {

CommKind kind_of(MPI_Comm comm) {
  CommKind kind = kind_at_a_glance(comm);
  if (comm == MPI_COMM_NULL || !kind.is_valid) return kind;
  check((kind.is_inter ? pmpi.Comm_remote_size : pmpi.Comm_size)(comm, &kind.peers));
  return kind;
}

Place place_in(MPI_Comm comm) {
  Place place{};
  check(pmpi.Comm_size(comm, &place.ranks));
  check(pmpi.Comm_rank(comm, &place.rank));
  return place;
}

bool is_inter(MPI_Comm comm) {
  int result = 0;
  check(pmpi.Comm_test_inter(comm, &result));
  return result != 0;
}

}  // namespace rota::mpi
