#include "rota_mpi/communicators/kind.hpp"

#include "rota_mpi/communicators/attached.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/fault_tolerance.hpp"
#include "rota_mpi/settings/environment.hpp"

namespace rota::mpi {

CommKind kind_of(MPI_Comm comm) {
  CommKind kind = kind_at_a_glance(comm);
  if (comm == MPI_COMM_NULL || !kind.is_valid) return kind;
  kind.code = (kind.is_inter ? pmpi.Comm_remote_size : pmpi.Comm_size)(comm, &kind.peers);
  kind.is_valid = kind.code == MPI_SUCCESS;
  return kind;
}

bool is_out_of_reach(MPI_Comm comm) {
  return comm == MPI_COMM_NULL || has_world_ended() || may_lose_processes() ||
         (world() == nullptr && may_have_strangers()) || is_being_freed(comm);
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
