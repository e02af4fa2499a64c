// The collectives with MPI's own signatures: look at the call, choose, execute or pass on, take note.
#include <limits>
#include <new>
#include <optional>

#include "rota.h"
#include "rota_mpi/choose.hpp"
#include "rota_mpi/companion.hpp"
#include "rota_mpi/dense.hpp"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/layout.hpp"
#include "rota_mpi/notes.hpp"

namespace rota::mpi {

namespace {

struct Broadcast {
  Data data;
  int root;
  MPI_Comm comm;
};

int call_native(const Broadcast& call) {
#if MPI_VERSION >= 4
  if (call.data.count > std::numeric_limits<int>::max()) {
    return PMPI_Bcast_c(call.data.buffer, call.data.count, call.data.type, call.root, call.comm);
  }
#endif
  return PMPI_Bcast(call.data.buffer, static_cast<int>(call.data.count), call.data.type, call.root,
                    call.comm);
}

/// Is there nothing where the data should be? At MPI_BOTTOM only types with addresses of their own find any.
bool is_nowhere(const Data& data) {
  return data.buffer == MPI_IN_PLACE || (data.buffer == MPI_BOTTOM && data.count > 0 && is_dense(data.type));
}

bool is_inter(MPI_Comm comm) {
  int result = 0;
  check(PMPI_Comm_test_inter(comm, &result));
  return result != 0;
}

/// Will the MPI library refuse these arguments? It shall, in its own words.
bool is_refused(const Broadcast& call, int ranks) {
  return call.data.type == MPI_DATATYPE_NULL || call.data.count < 0 || call.root < 0 || call.root >= ranks ||
         is_nowhere(call.data);
}

/// The call as all its ranks see it; nothing if the MPI library will refuse it. Of an inter-communicator's
/// calls only the number of this group's ranks: with MPI_PROC_NULL for a root, the other arguments mean
/// nothing.
std::optional<Call> as_seen_by_all(const Broadcast& call) {
  int ranks = 0;
  if (call.comm == MPI_COMM_NULL || PMPI_Comm_size(call.comm, &ranks) != MPI_SUCCESS) return {};
  if (is_inter(call.comm)) return Call{Collective::broadcast, ranks, 0};
  if (is_refused(call, ranks)) return {};
  return Call{Collective::broadcast, ranks, call.data.count * size_of(call.data.type)};
}

/// Packing nothing shows whether a type has been committed, which MPI has no question for.
bool is_committed(MPI_Datatype type, MPI_Comm returns_errors) {
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, returns_errors) == MPI_SUCCESS;
}

Choice choice_for(const Broadcast& call, const Call& seen) {
  if (is_inter(call.comm)) return native("inter-communicator");
  const char* const reason = reason_for_native(seen, settings());
  if (reason != nullptr) return native(reason);
  const Companion& companion = companion_of(call.comm);
  if (companion.fault != nullptr) return native(companion.fault);
  if (!is_committed(call.data.type, companion.comm)) return native("MPI refuses the datatype");
  return choose(seen, settings(), companion.ranks_share_hosts);
}

/// Plays the chosen schedule; what it was.
Served play(const Broadcast& call, const Call& seen, const Choice& choice) {
  const Companion& companion = companion_of(call.comm);
  const Self self{companion.comm, companion.rank};
  const Cut cut{seen.bytes, choice.block_bytes};
  const Schedule schedule =
      choice.algorithm->schedule({seen.collective, seen.ranks, call.root, cut.blocks()});
  const auto layout =
      companion.rank == call.root ? layout_to_send(call.data, self) : layout_to_receive(call.data, self);
  execute({schedule.of_rank(companion.rank), schedule.rounds, cut, companion.comm}, *layout);
  return {seen, choice, cut.blocks(), schedule.rounds};
}

/// Serves the call by a schedule or natively, and takes note of it.
int serve(const Broadcast& call) {
  const std::optional<Call> seen = as_seen_by_all(call);
  if (!seen) return call_native(call);
  const double start_s = settings().report ? PMPI_Wtime() : 0;
  const Choice choice = choice_for(call, *seen);
  Served served{*seen, choice};
  int code = MPI_SUCCESS;
  if (choice.algorithm == nullptr) {
    code = call_native(call);
  } else {
    served = play(call, *seen, choice);
  }
  if (settings().report) {
    served.seconds = PMPI_Wtime() - start_s;
    take_note(served);
  }
  return code;
}

/// The border between exceptions and error codes: what failed inside Rota is raised on the program's
/// communicator.
int bcast(const Broadcast& call) {
  const auto raise = [&](int code) {
    PMPI_Comm_call_errhandler(call.comm, code);
    return code;
  };
  try {
    return serve(call);
  } catch (const MpiError& error) {
    return raise(error.code);
  } catch (const std::bad_alloc&) {
    return raise(MPI_ERR_NO_MEM);
  }
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return rota::mpi::bcast({{buffer, count, datatype}, root, comm});
}

#if MPI_VERSION >= 4
int rota_bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return rota::mpi::bcast({{buffer, count, datatype}, root, comm});
}
#endif

}  // extern "C"
