// Every all-to-many call's way: leave it alone, look at it with all ranks, play a schedule or pass the call on, take note.
#pragma once

#include "rota_mpi/calls/exchanging/agree.hpp"
#include "rota_mpi/calls/exchanging/sides.hpp"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/report/notes.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

/// Both sides of a call on one rank.
template <class OneSide>
struct Sides {
  OneSide send;
  OneSide receive;
  bool is_in_place;

  AllToManyCall call() const { return {is_in_place ? nullptr : &send, receive}; }
};

/// A call on its way through Rota.
struct AllToManyPassage {
  MPI_Comm comm;
  Place place;
  const AllToManyCall& call;
};

/// What becomes of a call: a plan that is played, or why it is native.
struct Decision {
  const Plan* plan = nullptr;  // stays until the communicator's next call
  const char* reason = "";
  std::int64_t port_bytes = 0;
  bool made_schedule = false;
};

/// How calls are decided about that are alike in what a rank knows of the whole pattern.
struct Deciding {
  /// Why a call goes to the native collective before its arguments are looked at; nullptr: it need not.
  /// Local.
  const char* (*reason_not_to_look)(MPI_Comm comm, const Place& place);

  /// Collective over the communicator. Throws MpiError, std::bad_alloc.
  Decision (*decision)(const AllToManyPassage& passage);
};

/// MPI_Alltoall: every rank knows everything. Decided without messages, but for a communicator's first call
/// that Rota serves.
extern const Deciding regular;

/// The others: a rank knows its own messages. Decided by one reduction of a few numbers where all ranks
/// remember the pattern, else the rows of all ranks are gathered.
extern const Deciding irregular;

/// What to take note of.
Served served_by(const Place& place, const Decision& decision);

/// Plays the plan for the call. Throws MpiError, std::bad_alloc.
void play(const AllToManyPassage& passage, const Plan& plan);

/// Plays a schedule for the call or passes it on, as decided. Returns MPI's code.
int finish(const AllToManyPassage& passage, const Deciding& deciding, Served& served, NativeCall native);

/// Serves a call. What `describe()` returns is its Sides; it is only asked where the call is looked at.
template <class Describe>
int serve_all_to_many(MPI_Comm comm, const Deciding& deciding, const Describe& describe, NativeCall native) {
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  if (is_out_of_reach(comm)) return native();
  return raising_on(comm, [&]() -> int {
    const Place place = place_in(comm);
    return noted([&](Served& served) -> int {
      const char* const reason =
          kind.is_inter ? "inter-communicator" : deciding.reason_not_to_look(comm, place);
      if (reason == nullptr) {
        const auto sides = describe();
        return finish({comm, place, sides.call()}, deciding, served, native);
      }
      served = served_by(place, {.reason = reason});
      return native();
    });
  });
}

}  // namespace rota::mpi
