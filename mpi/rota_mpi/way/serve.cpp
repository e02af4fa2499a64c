#include "rota_mpi/way/serve.hpp"

#include <utility>

#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/play/rehearse.hpp"
#include "rota_mpi/report/log.hpp"
#include "rota_mpi/report/records.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/network.hpp"
#include "rota_mpi/way/sleep.hpp"
#include "rota_mpi/way/try_outs.hpp"
#include "rota_mpi/way/turns.hpp"
#include "rota_mpi/way/unserved.hpp"

namespace rota::mpi {

Decision decision_after(const Look& look, Operation& operation) {
  return look.reason == nullptr ? operation.decide(look.call) : left_to_native(look.call, look.reason);
}

namespace {

Execution execution_of(const Prepared& prepared, Round rounds, const Decision& decision) {
  return {.steps = prepared.steps,
          .rounds = rounds,
          .channel = decision.companion->channel(),
          .in_flight = prepared.in_flight,
          .nap = prepared.note.nap,
          .boxes = decision.companion->boxes()};
}

/// Some rounds of the schedule that is decided on, with nothing of the program's.
void rehearse_for(Operation& operation, const Decision& decision) {
  const Prepared prepared = operation.prepare(decision);
  rehearse(execution_of(prepared, prepared.first_rounds, decision));
}

/// By the schedule that is decided on. Says what it has served.
Served play(const char* name, Operation& operation, const Decision& decision) {
  Prepared prepared = operation.prepare(decision);
  prepared.note.nap = nap_in(prepared, *decision.companion);
  log_decision(name, prepared.note);
  PlayedCall played(name, prepared.note, decision.companion->channel());
  Execution execution = execution_of(prepared, prepared.rounds, decision);
  execution.observer = played.observer();
  execute(std::move(execution), *prepared.store);
  prepared.store->finish();
  return prepared.note;
}

/// That the call is native, to who wants to hear it.
void tell(const char* name, Operation& operation, const Served& served) {
  if (settings().log.level == LogLevel::off) return;
  Served told = served;
  operation.tell_unseen(told);
  log_decision(name, told);
}

}  // namespace

int carry_out(Operation&& operation, MPI_Comm comm, NativeCall native) {
  const auto pass_on = [&](const Served& served) -> int {
    tell(native.name(), operation, served);
    return native();
  };
  const auto serve = [&](std::optional<Served>& served) -> int {
    const std::optional<Look> look = operation.look();
    if (!look) return native();
    const int tried = make_try_outs(comm);
    if (tried != MPI_SUCCESS) return tried;
    const Decision decision = decision_after(*look, operation);
    if (decision.companion == nullptr) {
      served = unserved(decision, comm);
      return pass_on(*served);
    }
    served = served_by(decision.call, decision.choice);
    Cell* const cell = cell_of(decision);
    if (cell != nullptr && cell->is_first_of_schedule()) {
      spend(*cell, [&] { rehearse_for(operation, decision); });
    }
    const bool is_native = cell != nullptr && cell->next() == Arm::native;
    if (is_native) {
      served = served_natively(decision, *cell);
    } else {
      learn_pace_for_sleep(decision.call, *decision.companion);
    }
    return timed(decision, cell, [&]() -> int {
      if (is_native) return pass_on(*served);
      served = play(native.name(), operation, decision);
      return MPI_SUCCESS;
    });
  };
  return noted(serve, [&](Served& served) {
    operation.tell_unseen(served);
    take_note(native.name(), served);
  });
}

}  // namespace rota::mpi
