#include "rota_mpi/way/turns.hpp"

namespace rota::mpi {

Cell* cell_of(const Decision& decision) {
  return competes(decision.call, settings()) ? &decision.companion->cells.of(decision.call) : nullptr;
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

const char* reason_of(const Cell& cell) {
  if (cell.is_decided()) return "a schedule took twice as long";
  if (!cell.is_waiting()) return "in turn with a schedule";
  return cell.is_promising() ? "to set up a schedule takes longer" : "no gain is predicted";
}

}  // namespace

Served served_natively(const Decision& decision, const Cell& cell) {
  Served served = served_by(decision.call, native(reason_of(cell)));
  if (decision.plan != nullptr) served.port_bytes = decision.plan->port_bytes;
  return served;
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
