#include "rota_mpi/data/kept_types.hpp"

#include "rota_mpi/data/dense.hpp"

namespace rota::mpi {

void KeptTypes::keep(MPI_Datatype& type) {
  const auto [known, is_new] = singles_.try_emplace(type, type);
  if (is_new) keep_as(single, known->second);
  type = known->second;
}

void KeptTypes::keep_as(int (*same)(MPI_Datatype, MPI_Datatype*), MPI_Datatype& type) {
  if (type == MPI_DATATYPE_NULL || !is_derived(type)) return;
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  check(same(type, &kept));
  made_.emplace_back(kept);
  check(pmpi.Type_commit(&kept));
  type = kept;
}

}  // namespace rota::mpi
