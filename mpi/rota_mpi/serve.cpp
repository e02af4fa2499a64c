#include "rota_mpi/serve.hpp"

#include <algorithm>

#include "rota_mpi/dense.hpp"
#include "rota_mpi/notes.hpp"

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
  const Companion& companion = companion_of(passage.comm);
  if (companion.fault != nullptr) return {call, native(companion.fault)};
  const auto refused = [&](MPI_Datatype type) { return !is_committed(type, companion.comm); };
  if (std::ranges::any_of(passage.operation.types(passage.place), refused))
    return {call, native("MPI refuses the datatype")};
  call.problem.hosts = companion.hosts;
  return {call, companion.choices.of(call)};
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
  const std::optional<Place> place = place_in(comm);
  if (!place) return native();
  if (is_inter(comm)) return operation.serve_between_groups(comm, *place, native);
  const std::optional<Call> call = operation.seen_by_all(*place);
  if (!call) return native();
  return serve_seen({comm, *place, operation, *call}, native);
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

bool is_small(MPI_Comm comm, Collective collective, const Amount& amount) {
  if (settings().report || comm == MPI_COMM_NULL || amount.items <= 0 || amount.type == MPI_DATATYPE_NULL)
    return false;
  int is_inter = 0;
  int item_bytes = 0;
  return PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter == 0 &&
         PMPI_Type_size(amount.type, &item_bytes) == MPI_SUCCESS && item_bytes >= 0 &&
         amount.items * item_bytes < native_below(collective, settings());
}

int serve_operation(MPI_Comm comm, const Operation& operation, NativeCall native) {
  return raising_on(comm, [&] { return serve_or_pass_on(comm, operation, native); });
}

bool is_nowhere(const Data& data) {
  return data.buffer == MPI_IN_PLACE || (data.buffer == MPI_BOTTOM && data.count > 0 && is_dense(data.type));
}

bool is_refused_alias([[maybe_unused]] Collective collective, const void* sendbuf, const void* recvbuf,
                      MPI_Count count) {
  if (count == 0 || sendbuf != recvbuf) return false;
#ifdef OPEN_MPI
  if (collective == Collective::reduce) return true;
  return collective == Collective::allreduce && count > 1 && sendbuf != MPI_BOTTOM;
#else
  return sendbuf != MPI_BOTTOM;
#endif
}

}  // namespace rota::mpi
