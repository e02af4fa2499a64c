// The way of every call: look at it, choose, play a schedule or pass the call on, take note.
#pragma once

#include <optional>

#include "rota_mpi/border.hpp"
#include "rota_mpi/choose.hpp"
#include "rota_mpi/companion.hpp"
#include "rota_mpi/items.hpp"

namespace rota::mpi {

/// So many items of a type.
struct Amount {
  MPI_Count items;
  MPI_Datatype type;
};

/// The MPI library's own collective with the program's arguments. Refers to what it was made from.
class NativeCall {
 public:
  template <class Function>
  NativeCall(const Function& function)
      : function_(&function),
        call_([](const void* made_from) { return (*static_cast<const Function*>(made_from))(); }) {}

  int operator()() const { return call_(function_); }

 private:
  const void* function_;
  int (*call_)(const void*);
};

/// One call on this rank. Errors: MpiError, std::bad_alloc.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  virtual Collective collective() const = 0;

  /// The call as all its ranks see it; nothing if the MPI library will refuse its arguments, in its own
  /// words.
  virtual std::optional<Call> seen_by_all(const Place& place) const = 0;

  /// The types by which this rank describes data that the call will touch.
  virtual std::vector<MPI_Datatype> types(const Place& place) const = 0;

  /// Plays the schedule.
  virtual void play(const Call& call, const Schedule& schedule, const Companion& companion) const = 0;

  /// The way of the same call on an inter-communicator, of which `place` is this rank's in its group. Unless
  /// an operation says otherwise, it is passed on.
  virtual int serve_between_groups(MPI_Comm comm, const Place& place, NativeCall native) const;
};

/// Is this too little data of an intra-communicator to be worth a closer look? Most calls are of this kind.
/// False where arguments are wrong.
bool is_small(MPI_Comm comm, Collective collective, const Amount& amount);

/// Serves the call by a schedule or natively, and takes note of it. Returns MPI's error code; what fails
/// inside Rota is raised on the program's communicator.
int serve_operation(MPI_Comm comm, const Operation& operation, NativeCall native);

/// The same for a call on `amount` of data over all ranks that nobody has looked at yet. What
/// `describe()` returns is the Operation; it is only asked where the data is not small, for every instruction
/// counts there.
template <class Describe>
int serve(MPI_Comm comm, Collective collective, const Amount& amount, const Describe& describe,
          NativeCall native) {
  if (is_small(comm, collective, amount)) return native();
  return serve_operation(comm, describe(), native);
}

/// Is there nothing where the data should be? At MPI_BOTTOM only types with addresses of their own find any.
bool is_nowhere(const Data& data);

/// Do the two arguments name one place, where the MPI library refuses that? MPICH always does; Open MPI in
/// reduce and, from two items on, in allreduce; in other collectives it takes it for MPI_IN_PLACE.
bool is_refused_alias(Collective collective, const void* sendbuf, const void* recvbuf, MPI_Count count);

}  // namespace rota::mpi
