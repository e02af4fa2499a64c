#include "rota_mpi/reduction.hpp"

#include "rota_mpi/operators.hpp"

namespace rota::mpi {

bool is_refused(const Operator& operation, MPI_Count count) {
  return count < 0 || operation.type == MPI_DATATYPE_NULL || !is_defined(operation.op, operation.type);
}

bool is_misplaced(Collective collective, const Reduction& reduction, MPI_Count count) {
  MPI_Datatype type = reduction.operation.type;
  if (is_nowhere({reduction.recvbuf, count, type})) return true;
  if (reduction.is_in_place()) return false;
  return is_nowhere({const_cast<void*>(reduction.sendbuf), count, type}) ||
         is_refused_alias(collective, reduction.sendbuf, reduction.recvbuf, count);
}

Call call_of(Collective collective, const Place& place, const Operator& operation, MPI_Count count) {
  Call call;
  call.problem = {collective, place.ranks};
  call.problem.in_order = !does_commute(operation.op);
  call.bytes = count * size_of(operation.type);
  call.most_blocks = count;
  return call;
}

}  // namespace rota::mpi
