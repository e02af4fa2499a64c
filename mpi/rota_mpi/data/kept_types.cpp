#include "rota_mpi/data/kept_types.hpp"

namespace rota::mpi {

namespace {

bool is_predefined(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  check(pmpi.Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

}  // namespace

void KeptTypes::keep(MPI_Datatype& type) {
  const auto [known, is_new] = singles_.try_emplace(type, type);
  if (is_new) keep_as(single, known->second);
  type = known->second;
}

void KeptTypes::keep_as(int (*same)(MPI_Datatype, MPI_Datatype*), MPI_Datatype& type) {
  if (type == MPI_DATATYPE_NULL || is_predefined(type)) return;
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  check(same(type, &kept));
  made_.emplace_back(kept);
  check(pmpi.Type_commit(&kept));
  type = kept;
}

}  // namespace rota::mpi
