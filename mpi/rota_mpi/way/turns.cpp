#include "rota_mpi/way/turns.hpp"

#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

Preparation preparation_of(const Decision& decision) {
  const bool needs_plan =
      decision.call.problem.collective == Collective::all_to_many && decision.plan == nullptr;
  return needs_plan ? Preparation::together : Preparation::alone;
}

}  // namespace

Cell* cell_of(const Decision& decision) {
  if (!competes(decision.call, settings())) return nullptr;
  return &decision.companion->cells.of(decision.call, preparation_of(decision));
}

bool may_be_scheduled(const Decision& decision) {
  if (decision.companion == nullptr) return false;
  const Cell* const cell = cell_of(decision);
  return cell == nullptr || cell->is_paired() || cell->incumbent() == Arm::schedule;
}

Decision where_seen_to_gain(const Decision& decision) {
  if (decision.companion == nullptr) return decision;
  const Cell* const cell = cell_of(decision);
  if (cell == nullptr || cell->incumbent() == Arm::schedule) return decision;
  return left_to_native(decision.call, "not seen to gain where it blocks");
}

namespace {

const char* reason_of_turn(const Cell& cell) {
  if (cell.is_decided()) return "a schedule took twice as long";
  if (!cell.is_waiting()) return "in turn with a schedule";
  return cell.is_promising() ? "to set up a schedule takes longer" : "no gain is predicted";
}

}  // namespace

Served served_natively(const Decision& decision, const Cell& cell) {
  Served served = served_by(decision.call, native(reason_of_turn(cell)));
  served.call.problem.hosts = decision.companion->hosts;
  if (decision.plan != nullptr) served.port_bytes = decision.plan->port_bytes;
  return served;
}

Prediction prediction_of(const Decision& decision) {
  return {.seconds = decision.choice.seconds,
          .meetings = rounds_in_meetings(decision.choice.rounds, decision.call.problem.ranks)};
}

double planning_of_call(const Decision& decision, Cell& cell) {
  if (!cell.is_first_of_schedule()) return decision.planning_s;
  cell.spent(decision.planning_s);
  return 0;
}

void took(double seconds, const Decision& decision, Cell& cell) {
  cell.took(seconds);
  if (!cell.is_over()) return;
  Companion& among = *decision.companion;
  Outcome outcome;
  spend(cell, [&] { outcome = cell.agree(among.most(cell.taken())); });
  const bool is_noted = settings().report || settings().learn;
  if (among.rank == 0 && is_noted) take_note(decision.call, decision.choice, outcome);
}

}  // namespace rota::mpi
