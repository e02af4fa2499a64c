// One of the program's calls, as every call's way takes it (serve.hpp): kinds of calls differ in what they look at and in their store.
#pragma once

#include <memory>
#include <optional>

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/data/store.hpp"
#include "rota_mpi/decide/choose_part.hpp"
#include "rota_mpi/report/notes.hpp"
#include "rota_mpi/way/native_call.hpp"
#include "rota_mpi/way/stand_in.hpp"

namespace rota::mpi {

/// Where a call is made: on a communicator of the program's, by this rank of its group.
struct Passage {
  MPI_Comm comm;
  Place place;
};

/// What all ranks of a call know of it when they have looked.
struct Look {
  Call call;
  const char* reason = nullptr;  // why it is native; nullptr: that is still to be decided
};

/// What becomes of a call, alike on all its ranks.
struct Decision {
  Call call;  // on the hosts that its companion knows of
  Choice choice;
  Companion* companion = nullptr;  // among whom a schedule is played; nullptr: the call is native
  // All-to-many, in place of an algorithm: the plan, which stays until the communicator's next call; none is made
  // for a call whose turn is the native one's.
  const Plan* plan = nullptr;
  bool made_plan = false;  // for this call, and those like it that follow
  double planning_s = 0;   // that took so long on this rank
};

/// The call is native, for this reason.
inline Decision left_to_native(const Call& call, const char* reason) {
  Decision decision;
  decision.call = call;
  decision.choice = native(reason);
  return decision;
}

/// This rank's part in a schedule, ready to be played, and what to take note of.
struct Prepared {
  RankSchedule steps;
  Round rounds = 0;
  Round first_rounds = 0;  // in which ranks that exchange messages meet each other, all messages complete
  Round in_flight = 1;
  std::unique_ptr<Store> store;
  Served note;
};

/// A call on this rank. Errors: MpiError, std::bad_alloc.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  /// What its ranks come to know of it: by their arguments alone, or, where these do not tell, together.
  /// Nothing: it is the MPI library's alone, whatever it is, and nobody takes note of it.
  virtual std::optional<Look> look() = 0;

  /// What becomes of a call that need not be native. Where a schedule is to be played, its channel is open.
  virtual Decision decide(const Call& call) = 0;

  /// What becomes of a call that returns at once: as look() and decide(), but by what all ranks know already.
  /// The channel need not be open yet, and from now on the program may free its types. Local. Nothing: it is
  /// the MPI library's alone, and nobody takes note of it.
  virtual std::optional<Decision> decide_at_once() { return {}; }

  /// The same of a call that is set up to be started again and again. Collective, and the channel is open.
  virtual std::optional<Decision> decide_for_starts() { return {}; }

  /// What its ranks start at once, or set up, in the MPI library in place of a call that a schedule serves,
  /// for some ranks leave it to the library whatever is decided. Empty: no rank does.
  virtual StandIn::Native stand_in(Manner) const { return {}; }

  /// Of a call that returned at once, when its turn has come: what its ranks tell each other before it is
  /// prepared, to be played; asked again when that is over. Nothing: they know what they must. Local.
  virtual std::optional<Prepared> tell(const Decision&) { return {}; }

  /// Local. The decision is to play a schedule.
  virtual Prepared prepare(const Decision& decision) = 0;

  /// For the report, and nothing else: what this rank knows of a call that its ranks have not looked at.
  virtual void tell_unseen(Served&) {}
};

}  // namespace rota::mpi
