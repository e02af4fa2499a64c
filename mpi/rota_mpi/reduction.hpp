// What the collectives that combine data have in common.
#pragma once

#include "rota_mpi/combined.hpp"
#include "rota_mpi/serve.hpp"

namespace rota::mpi {

/// A reduction's arguments but for its counts.
struct Reduction {
  const void* sendbuf;  // or MPI_IN_PLACE
  void* recvbuf;
  Operator operation;

  bool is_in_place() const { return sendbuf == MPI_IN_PLACE; }
  /// Where this rank's values are, if its receive buffer counts.
  const void* source() const { return is_in_place() ? recvbuf : sendbuf; }
};

/// Will the MPI library refuse this many items of the operator's type, or might it?
bool is_refused(const Operator& operation, MPI_Count count);

/// Is there nothing where a reduction on all ranks should find or put its data, or the same for both?
bool is_misplaced(Collective collective, const Reduction& reduction, MPI_Count count);

/// The call of a reduction of `count` items; nothing if its type has no size.
Call call_of(Collective collective, const Place& place, const Operator& operation, MPI_Count count);

}  // namespace rota::mpi
