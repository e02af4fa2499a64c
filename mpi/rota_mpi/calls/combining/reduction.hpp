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

/// MPI's code for calls of this rank alone with the same arguments: as one that only sends, or sends and
/// receives in an allreduce. No place of the program's is changed, for a call that is only set up may not do
/// that.
int sent_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self);
int allreduced_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self);

/// The same of a call that sends so many items and receives some: `call(asked)` is one of its kind. Asked is
/// for what is sent, and for what is received, in place, where one rank's values are its result; but for one
/// place for both at once.
template <class Asking>
int combined_alone(const Reduction& reduction, MPI_Count sent, MPI_Comm self, const Asking& call) {
  if (reduction.is_in_place() || reduction.sendbuf == reduction.recvbuf) return call(reduction);
  const int code = sent_alone(reduction, sent, self);
  return code != MPI_SUCCESS ? code : call(Reduction{MPI_IN_PLACE, reduction.recvbuf, reduction.operation});
}

/// What a rank that sends and receives `count` items reads and writes.
std::vector<Data> touched_by(const Reduction& reduction, MPI_Count count);

/// Within::keep of a reduction's type. The program's operators can be freed too, and not be kept.
const char* keep_in(KeptTypes& types, Reduction& reduction);

/// The call of a reduction of `count` items. Throws MpiError.
Call call_of(Collective collective, const Place& place, const Operator& operation, MPI_Count count);

}  // namespace rota::mpi
