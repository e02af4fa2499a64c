// The way of every call: look at it, choose, play a schedule or pass the call on, take note.
#pragma once

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/data/items.hpp"
#include "rota_mpi/decide/choose.hpp"
#include "rota_mpi/way/refusals.hpp"

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

  /// What becomes of its arguments on this rank. `asking` as in refusals.hpp.
  virtual Arguments arguments(const Place& place, MPI_Comm asking) const = 0;

  /// MPI's code for the same arguments where this rank is alone on a communicator. What is received is lost.
  virtual int alone(const Place& place, MPI_Comm self) const = 0;

  /// What this rank reads and writes, each in one piece of memory.
  virtual std::vector<Data> touched(const Place& place) const = 0;

  /// The call as all its ranks see it. Only where arguments are not refused.
  virtual Call seen_by_all(const Place& place) const = 0;

  /// Plays the schedule.
  virtual void play(const Call& call, const Schedule& schedule, const Companion& companion) const = 0;

  /// The way of the same call on an inter-communicator, of which `place` is this rank's in its group. Unless
  /// an operation says otherwise, it is passed on.
  virtual int serve_between_groups(MPI_Comm comm, const Place& place, NativeCall native) const;
};

/// Is this too little data to be worth a closer look? Not where arguments are wrong.
bool is_small(Collective collective, const Amount& amount);

/// Serves the call by a schedule or natively, and takes note of it. Returns MPI's error code; what fails
/// inside Rota is raised on the program's communicator.
int serve_operation(MPI_Comm comm, const Operation& operation, NativeCall native);

/// The same for a call that nobody has looked at yet. `amount(kind)` is its data over all ranks of an
/// intra-communicator. What `describe(kind)` returns is the Operation; it is only asked where the data is not
/// small, for every instruction counts there.
template <class AmountOf, class Describe>
int serve_shares(MPI_Comm comm, Collective collective, const AmountOf& amount, const Describe& describe,
                 NativeCall native) {
  const CommKind kind = kind_of(comm);
  if (!kind.is_valid) return kind.code;
  if (!kind.is_inter && kind.peers > 0 && is_small(collective, amount(kind))) return native();
  return serve_operation(comm, describe(kind), native);
}

/// The same where all ranks have the same amount.
template <class Describe>
int serve(MPI_Comm comm, Collective collective, const Amount& amount, const Describe& describe,
          NativeCall native) {
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  if (!kind.is_inter && comm != MPI_COMM_NULL && is_small(collective, amount)) return native();
  return serve_operation(comm, describe(), native);
}

/// Are these arguments, or those of the call by which this rank asks, refused? `alone(self)` makes that call.
template <class Alone>
bool is_refused(Arguments arguments, const Alone& alone) {
  if (arguments != Arguments::odd) return arguments == Arguments::refused;
  const World* const here = world();
  return here != nullptr && alone(here->self) != MPI_SUCCESS;
}

}  // namespace rota::mpi
