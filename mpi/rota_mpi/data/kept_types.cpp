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
  const auto found = singles_.find(type);
  if (found != singles_.end()) {
    type = found->second;
    return;
  }
  const MPI_Datatype given = type;
  keep_as(single, type);
  if (type != given) singles_.emplace(given, type);
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
