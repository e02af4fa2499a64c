// MPI_Barrier is the MPI library's; but ranks wait for each other in it, so try-outs may be made before.
#include "rota.h"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/way/try_outs.hpp"

namespace rota::mpi {

namespace {

int serve_barrier(MPI_Comm comm) {
  if (!is_any_try_out_due()) return pmpi.Barrier(comm);
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  if (kind.is_inter || is_out_of_reach(comm)) return pmpi.Barrier(comm);
  return raising_on(comm, [&]() -> int {
    const int code = make_try_outs(comm);
    return code == MPI_SUCCESS ? pmpi.Barrier(comm) : code;
  });
}

}  // namespace

}  // namespace rota::mpi

extern "C" int rota_barrier(MPI_Comm comm) { return rota::mpi::serve_barrier(comm); }
