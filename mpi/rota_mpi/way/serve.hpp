// The one way of every call:
//
//     glance -> look -> decide -> prepare -> play -> note
//        |       |        |
//        +-------+--------+----> the MPI library's own -> note
//
// A glance (glance.hpp) is for small calls, where every instruction counts; what follows it is operation.hpp's. Calls that do not block go the
// way of started.hpp from there.
#pragma once

#include <utility>

#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/way/glance.hpp"
#include "rota_mpi/way/native_call.hpp"
#include "rota_mpi/way/operation.hpp"
#include "rota_mpi/way/refusals.hpp"
#include "rota_mpi/way/started.hpp"

namespace rota::mpi {

/// What becomes of a call after its look.
Decision decision_after(const Look& look, Operation& operation);

/// Serves the call on an intra-communicator or between two groups by a schedule or natively, and takes note
/// of it; before it try-outs that are due. Returns MPI's code. Throws MpiError, std::bad_alloc.
int carry_out(Operation&& operation, MPI_Comm comm, NativeCall native);

/// A call that is passed on for a reason that needs no look.
class PassedOn final : public Operation {
 public:
  PassedOn(Call call, const char* reason) : call_(std::move(call)), reason_(reason) {}

  std::optional<Look> look() override { return Look{call_, reason_}; }
  Decision decide(const Call& call) override { return left_to_native(call, reason_); }
  std::optional<Decision> decide_at_once() override { return left_to_native(call_, reason_); }
  std::optional<Decision> decide_for_starts() override { return left_to_native(call_, reason_); }
  Prepared prepare(const Decision&) override { return {}; }

 private:
  Call call_;
  const char* reason_;
};

/// What a collective does between groups that has no schedules there. Only the number of this group's ranks
/// is known: with MPI_PROC_NULL for a root, the other arguments mean nothing.
struct PassedOnBetween {
  Collective collective;

  PassedOn operator()(const Passage& passage) const {
    Call call;
    call.problem = {collective, passage.place.ranks};
    return {std::move(call), "inter-communicator"};
  }
};

/// Has the Operation that is `made(passage)` carried out, started or set up, as the call's manner is.
template <class Made>
int take_up(const Made& made, const Passage& passage, NativeCall native) {
  if (native.manner() == Manner::blocking) return carry_out(made(passage), passage.comm, native);
  std::unique_ptr<Operation> operation(new auto(made(passage)));
  return native.manner() == Manner::at_once ? start(std::move(operation), passage.comm, native)
                                            : set_up(std::move(operation), passage.comm, native);
}

/// Serves a call after the glance: `within(passage)`, or on an inter-communicator `between(passage)`, is its
/// Operation. What fails inside Rota is raised on the program's communicator.
template <class Within, class Between>
int serve_seen(MPI_Comm comm, const CommKind& kind, const Within& within, const Between& between,
               NativeCall native) {
  return raising_on(comm, [&]() -> int {
    if (is_out_of_reach(comm)) return native();
    const Passage passage{comm, place_in(comm)};
    return kind.is_inter ? take_up(between, passage, native) : take_up(within, passage, native);
  });
}

/// Serves a call that nobody has looked at yet, of which all ranks have the same amount.
template <class Within, class Between>
int serve(MPI_Comm comm, Collective collective, const Amount& amount, const Within& within,
          const Between& between, NativeCall native) {
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  if (!kind.is_inter && comm != MPI_COMM_NULL && is_small(collective, amount, comm)) return native();
  return serve_seen(comm, kind, within, between, native);
}

/// The same where `amount(ranks)` is the data over all ranks of an intra-communicator.
template <class AmountOf, class Within, class Between>
int serve_shares(MPI_Comm comm, Collective collective, const AmountOf& amount, const Within& within,
                 const Between& between, NativeCall native) {
  const CommKind kind = kind_of(comm);
  if (!kind.is_valid) return kind.code;
  if (!kind.is_inter && kind.peers > 0 && is_small(collective, amount(kind.peers), comm)) return native();
  return serve_seen(comm, kind, within, between, native);
}

/// Are these arguments, or those of the call by which this rank asks, refused? `alone(self)` makes that call.
template <class Alone>
bool is_refused(Arguments arguments, const Alone& alone) {
  if (arguments != Arguments::odd) return arguments == Arguments::refused;
  const World* const here = world();
  return here != nullptr && alone(here->self) != MPI_SUCCESS;
}

}  // namespace rota::mpi
