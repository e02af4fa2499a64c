// Calls in which the MPI library's own collective and a schedule compete: whose turn it is, and what they took (decide/cell.hpp).
#pragma once

#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// The cell of a call that is decided to be served by a schedule; nullptr: it is, whatever that takes. Throws
/// std::bad_alloc.
Cell* cell_of(const Decision& decision);

/// May such a call be served by the schedule that is decided on, this time or soon?
bool may_be_scheduled(const Decision& decision);

/// The decision of a call that does not block: it cannot be tried, so it is native where calls compete and
/// none that blocks has been seen to gain. Throws std::bad_alloc.
Decision where_seen_to_gain(const Decision& decision);

/// What is noted of a call that is native because it is that one's turn.
Served served_natively(const Decision& decision, const Cell& cell);

/// What an action takes is part of what trials cost.
template <class Action>
void spend(Cell& cell, const Action& action) {
  const double start_s = pmpi.Wtime();
  action();
  cell.spent(pmpi.Wtime() - start_s);
}

/// What its call is predicted to take by the schedule that is decided on.
Prediction prediction_of(const Decision& decision);

/// What making the call's plan took on this rank, as far as that is part of the call's own time. Of a
/// schedule's first trial nothing is: there it is spent on trials, for the calls that follow may share the
/// plan.
double planning_of_call(const Decision& decision, Cell& cell);

/// The call took so long on this rank. At a period's end its ranks agree: collective over the companion's.
/// Throws MpiError, std::bad_alloc.
void took(double seconds, const Decision& decision, Cell& cell);

/// What `serve` returns for the call. Collective where ranks meet before it. Without a cell nobody looks at
/// the clock. Throws MpiError, std::bad_alloc.
template <class Serve>
int timed(const Decision& decision, Cell* cell, const Serve& serve) {
  if (cell == nullptr) return serve();
  cell->expect(prediction_of(decision));
  const double planning_s = planning_of_call(decision, *cell);
  if (cell->is_paired()) spend(*cell, [&] { decision.companion->most(0); });
  const double start_s = pmpi.Wtime();
  const int code = serve();
  took(planning_s + pmpi.Wtime() - start_s, decision, *cell);
  return code;
}

}  // namespace rota::mpi
