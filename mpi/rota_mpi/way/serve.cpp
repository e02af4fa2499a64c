#include "rota_mpi/way/serve.hpp"

#include <algorithm>

#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/report/notes.hpp"

namespace rota::mpi {

namespace {

/// One call on its way through Rota.
struct Passage {
  MPI_Comm comm = MPI_COMM_NULL;
  Place place{};
  const Operation& operation;
  Call call;
};

Decided decide(const Passage& passage) {
  Call call = passage.call;
  const char* const reason = reason_for_native(call, settings());
  if (reason != nullptr) return {call, native(reason)};
  Companion& companion = companion_of(passage.comm);
  if (companion.fault != nullptr) return {call, native(companion.fault)};
  call.problem.hosts = companion.hosts;
  const Choice choice = companion.choices.of(call);
  if (choice.algorithm == nullptr) return {call, choice};
  if (companion.is_device_aware && companion.is_on_device(passage.operation.touched(passage.place)))
    return {call, native(device_memory)};
  const char* const fault = companion.open();
  return {call, fault == nullptr ? choice : native(fault)};
}

/// Plays the chosen schedule; what it was.
Served play(const Passage& passage, const Decided& decided) {
  Problem problem = decided.call.problem;
  problem.blocks = decided.choice.blocks;
  const Schedule schedule = decided.choice.algorithm->schedule(problem);
  passage.operation.play(decided.call, schedule, companion_of(passage.comm));
  Served served = served_by(decided.call, decided.choice);
  served.blocks = schedule.problem.blocks;
  served.rounds = schedule.rounds;
  return served;
}

int serve_seen(const Passage& passage, NativeCall native) {
  return noted([&](Served& served) -> int {
    const Decided decided = decide(passage);
    served = served_by(decided.call, decided.choice);
    if (decided.choice.algorithm == nullptr) return native();
    served = play(passage, decided);
    return MPI_SUCCESS;
  });
}

int serve_or_pass_on(MPI_Comm comm, const Operation& operation, NativeCall native) {
  if (is_out_of_reach(comm)) return native();
  const Place place = place_in(comm);
  if (is_inter(comm)) return operation.serve_between_groups(comm, place, native);
  const Arguments arguments = operation.arguments(place, asking_comm(comm));
  if (is_refused(arguments, [&](MPI_Comm self) { return operation.alone(place, self); })) return native();
  return serve_seen({comm, place, operation, operation.seen_by_all(place)}, native);
}

}  // namespace

/// Of such calls only the number of this group's ranks is known: with MPI_PROC_NULL for a root, the other
/// arguments mean nothing.
int Operation::serve_between_groups(MPI_Comm, const Place& place, NativeCall native) const {
  return noted([&](Served& served) {
    Call call;
    call.problem = {collective(), place.ranks};
    served = served_by(call, rota::mpi::native("inter-communicator"));
    return native();
  });
}

bool is_small(Collective collective, const Amount& amount) {
  if (settings().report || amount.items <= 0 || amount.type == MPI_DATATYPE_NULL) return false;
  int item_bytes = 0;
  return pmpi.Type_size(amount.type, &item_bytes) == MPI_SUCCESS && item_bytes >= 0 &&
         amount.items * item_bytes < native_below(collective, settings());
}

int serve_operation(MPI_Comm comm, const Operation& operation, NativeCall native) {
  return raising_on(comm, [&] { return serve_or_pass_on(comm, operation, native); });
}

}  // namespace rota::mpi
