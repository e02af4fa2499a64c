#include "rota_mpi/way/refusals.hpp"

#include <algorithm>

#include "rota_mpi/data/dense.hpp"
#include "rota_mpi/way/operators.hpp"

namespace rota::mpi {

namespace {

/// Packing nothing shows it; MPI has no question for it.
bool is_committed(MPI_Datatype type, MPI_Comm asking) {
  if (asking == MPI_COMM_NULL) return true;
  char nothing = 0;
  int position = 0;
  return pmpi.Pack(&nothing, 0, type, &nothing, 1, &position, asking) == MPI_SUCCESS;
}

}  // namespace

Arguments worst(std::initializer_list<Arguments> all) { return std::max(all); }

Arguments arguments_of(MPI_Count count, MPI_Datatype type, MPI_Comm asking) {
  if (count < 0) return Arguments::refused;
  return odd_if(type == MPI_DATATYPE_NULL || !is_committed(type, asking));
}

Arguments arguments_of(const Data& data, MPI_Comm asking) {
  if (data.buffer == MPI_IN_PLACE) return Arguments::refused;
  const Arguments items = arguments_of(data.count, data.type, asking);
  return items == Arguments::plain ? odd_if(is_nowhere(data)) : items;
}

Arguments arguments_of(const Operator& operation) {
  return odd_if(operation.op == MPI_OP_NULL || !is_defined(operation.op, operation.type));
}

Arguments arguments_of_places(const void* sendbuf, const void* recvbuf, MPI_Count count) {
  return odd_if(count > 0 && sendbuf == recvbuf && sendbuf != MPI_BOTTOM);
}

bool is_nowhere(const Data& data) {
  return data.buffer == MPI_BOTTOM && packed_bytes(data) > 0 && is_dense(data.type);
}

}  // namespace rota::mpi
