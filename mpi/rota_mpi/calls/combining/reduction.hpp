// What the collectives that combine data have in common.
#pragma once

#include "rota_mpi/data/combined.hpp"
#include "rota_mpi/way/scheduled.hpp"

namespace rota::mpi {

/// A reduction's arguments but for its counts.
struct Reduction {
  const void* sendbuf;  // or MPI_IN_PLACE
  void* recvbuf;
  Operator operation;

  bool is_in_place() const { return sendbuf == MPI_IN_PLACE; }
  /// Where this rank's values are, if its receive buffer counts.
  const void* source() const { return is_in_place() ? recvbuf : sendbuf; }
  /// So many items of what is sent, or received.
  Data sent(MPI_Count count) const { return {const_cast<void*>(sendbuf), count, operation.type}; }
  Data received(MPI_Count count) const { return {recvbuf, count, operation.type}; }
};

/// The arguments of a rank that sends and receives `count` items.
Arguments arguments_of(const Reduction& reduction, MPI_Count count, MPI_Comm asking);

/// Those of a rank that only sends, or only receives.
Arguments arguments_to_send(const Reduction& reduction, MPI_Count count, MPI_Comm asking);
Arguments arguments_to_receive(const Reduction& reduction, MPI_Count count, MPI_Comm asking);

/// MPI's code for such a call of this rank alone: as one that sends and receives, or only sends.
int allreduced_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self);
int sent_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self);

/// What a rank that sends and receives `count` items reads and writes.
std::vector<Data> touched_by(const Reduction& reduction, MPI_Count count);

/// Within::keep of a reduction's type. The program's operators can be freed too, and not be kept.
const char* keep_in(KeptTypes& types, Reduction& reduction);

/// The call of a reduction of `count` items. Throws MpiError.
Call call_of(Collective collective, const Place& place, const Operator& operation, MPI_Count count);

}  // namespace rota::mpi
