// Alltoall, alltoallv and alltoallw.
#include "rota.h"
#include "rota_mpi/agree.hpp"
#include "rota_mpi/border.hpp"
#include "rota_mpi/ports.hpp"
#include "rota_mpi/serve.hpp"

namespace rota::mpi {

namespace {

/// A call on its way through Rota.
struct AllToManyPassage {
  MPI_Comm comm;
  Place place;
  const AllToManyCall& call;
};

/// What became of it: a plan that is played, or why it is native.
struct Decision {
  const Plan* plan = nullptr;
  const char* reason = "";
  std::int64_t port_bytes = 0;
  bool made_schedule = false;
};

Decision left_to_native(const char* reason, std::int64_t port_bytes = 0) {
  return {nullptr, reason, port_bytes, false};
}

constexpr const char* refused = "MPI refuses the arguments";

bool is_refused(const AllToManyPassage& passage) {
  return passage.call.receive.is_refused(passage.place.ranks) ||
         passage.call.sent().is_refused(passage.place.ranks);
}

/// Has a type been left uncommitted? Of several equal ones in a row, the first is asked about.
bool has_uncommitted(const Side& side, const Place& place, const Companion& companion) {
  MPI_Datatype last = MPI_DATATYPE_NULL;
  for (Rank peer = 0; peer < place.ranks; ++peer) {
    MPI_Datatype type = side.of(peer).type;
    if (type != last && !is_committed(type, companion.comm)) return true;
    last = type;
  }
  return false;
}

/// Why no call on this communicator is served, as its ranks find out together when first they want to;
/// nullptr: calls are served.
const char* reason_of_hosts(const Companion& companion) {
  if (companion.fault != nullptr) return companion.fault;
  return companion.ranks_share_hosts && !serves_shared_hosts(settings()) ? "ranks share hosts" : nullptr;
}

bool has_uncommitted(const AllToManyPassage& passage, const Companion& companion) {
  return has_uncommitted(passage.call.receive, passage.place, companion) ||
         has_uncommitted(passage.call.sent(), passage.place, companion);
}

Decision decided(const Plan& plan, std::int64_t port_bytes, bool is_new) {
  if (plan.part == nullptr) return left_to_native(plan.reason, port_bytes);
  return {&plan, "", port_bytes, is_new};
}

// --- regular calls: all ranks know everything, and decide without a message

Decision decision_for_regular(const AllToManyPassage& passage) {
  const auto [rank, ranks] = passage.place;
  if (is_refused(passage)) return left_to_native(refused);
  const std::int64_t bytes = passage.call.receive.bytes(0);
  const std::int64_t port_bytes = (ranks - 1) * bytes;
  if (passage.call.sent().bytes(0) != bytes) return left_to_native(refused);
  const char* const reason = reason_for_native_all_to_many(ranks, port_bytes, settings());
  if (reason != nullptr) return left_to_native(reason, port_bytes);
  Watch& watch = watch_over(passage.comm);
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, port_bytes);
  const Companion& companion = companion_of(passage.comm);
  watch.always_native = reason_of_hosts(companion);
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, port_bytes);
  if (has_uncommitted(passage, companion)) return left_to_native(refused, port_bytes);
  const bool is_new = watch.regular_bytes != bytes;
  if (is_new) {
    watch.regular = plan_for_everybody(rank, ranks, bytes, settings());
    watch.regular_bytes = bytes;
  }
  return decided(watch.regular, port_bytes, is_new);
}

// --- irregular calls

Row row_of(const Side& side, const Place& place, bool is_sent) {
  Row row;
  for (Rank peer = 0; peer < place.ranks; ++peer) {
    const std::int64_t bytes = peer == place.rank ? 0 : side.bytes(peer);
    if (bytes == 0) continue;
    row.push_back(is_sent ? Shipment{place.rank, peer, bytes} : Shipment{peer, place.rank, bytes});
  }
  return row;
}

/// After a look that found no plan: the pattern is gathered, and a plan made for it.
Decision decision_for_new(const AllToManyPassage& passage, const Sight& sight, const Look& look,
                          Watch& watch) {
  const Companion& companion = companion_of(passage.comm);
  watch.always_native = reason_of_hosts(companion);
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, look.port_bytes);
  const auto pattern = gathered_pattern(sight, companion);
  if (pattern == nullptr) return left_to_native("ranks disagree", look.port_bytes);
  const Plan& plan = watch.remember({sight, plan_for(pattern, passage.place.rank, settings())});
  return decided(plan, look.port_bytes, true);
}

Decision decision_after_look(const AllToManyPassage& passage, Watch& watch) {
  const Sight sight{row_of(passage.call.sent(), passage.place, true),
                    row_of(passage.call.receive, passage.place, false)};
  const Look look = look_at(sight, watch, passage.comm);
  const char* const reason = reason_for_native_all_to_many(passage.place.ranks, look.port_bytes, settings());
  if (reason != nullptr) return left_to_native(reason, look.port_bytes);
  if (look.remembered != nullptr) return decided(*look.remembered, look.port_bytes, false);
  return decision_for_new(passage, sight, look, watch);
}

Decision decision_for_irregular(const AllToManyPassage& passage) {
  const char* const reason = reason_for_native_all_to_many(passage.place.ranks, settings());
  if (reason != nullptr) return left_to_native(reason);
  Watch& watch = watch_over(passage.comm);
  if (watch.always_native != nullptr) return left_to_native(watch.always_native);
  if (watch.skips()) return left_to_native("the last ones were native");
  if (is_refused(passage)) return left_to_native(refused);
  const Decision decision = decision_after_look(passage, watch);
  if (decision.plan != nullptr) {
    watch.found_served();
  } else if (native_below(Collective::all_to_many, settings()) >
             0) {  // else the user wants every call served
    watch.found_native();
  }
  return decision;
}

// --- both

Served served_by(const AllToManyPassage& passage, const Decision& decision) {
  Served served;
  served.call.problem = {Collective::all_to_many, passage.place.ranks};
  served.call.bytes = decision.port_bytes;
  served.reason = decision.reason;
  served.made_schedule = decision.made_schedule;
  if (decision.plan == nullptr) return served;
  served.algorithm = decision.plan->algorithm;
  served.blocks = decision.plan->most_parcels;
  served.rounds = decision.plan->rounds;
  served.least_rounds = decision.plan->least_rounds;
  return served;
}

void play(const AllToManyPassage& passage, const Plan& plan) {
  const Self self = companion_of(passage.comm).self();
  Mail mail(passage.call, self, passage.place.ranks);
  play(*plan.part, mail, self);
}

using Decide = Decision (*)(const AllToManyPassage&);

int serve_or_pass_on(MPI_Comm comm, const AllToManyCall& call, Decide decide, NativeCall native) {
  const std::optional<Place> place = place_in(comm);
  if (!place) return native();
  const AllToManyPassage passage{comm, *place, call};
  const bool inter = is_inter(comm);
  return noted([&](Served& served) -> int {
    const Decision decision = inter ? left_to_native("inter-communicator") : decide(passage);
    served = served_by(passage, decision);
    if (decision.plan == nullptr) return native();
    play(passage, *decision.plan);
    return MPI_SUCCESS;
  });
}

int serve(MPI_Comm comm, const AllToManyCall& call, Decide decide, NativeCall native) {
  return raising_on(comm, [&] { return serve_or_pass_on(comm, call, decide, native); });
}

/// Serves MPI_Alltoall.
int serve_regular(MPI_Comm comm, const void* sendbuf, const EqualSide& send, const EqualSide& receive,
                  NativeCall native) {
  return serve(comm, {sendbuf == MPI_IN_PLACE ? nullptr : &send, receive}, decision_for_regular, native);
}

/// Serves the others.
int serve_irregular(MPI_Comm comm, const void* sendbuf, const Side& send, const Side& receive,
                    NativeCall native) {
  return serve(comm, {sendbuf == MPI_IN_PLACE ? nullptr : &send, receive}, decision_for_irregular, native);
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_regular(
      comm, sendbuf, EqualSide(sendbuf, sendcount, sendtype), EqualSide(recvbuf, recvcount, recvtype),
      [&] { return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int rota_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                   MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_irregular(comm, sendbuf, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                         CountedSide(recvbuf, recvcounts, rdispls, recvtype), [&] {
                           return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                 rdispls, recvtype, comm);
                         });
}

int rota_alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const int rdispls[],
                   const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_irregular(comm, sendbuf, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
                         TypedSide(recvbuf, recvcounts, rdispls, recvtypes), [&] {
                           return PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                 rdispls, recvtypes, comm);
                         });
}

#if MPI_VERSION >= 4
int rota_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_regular(
      comm, sendbuf, EqualSide(sendbuf, sendcount, sendtype), EqualSide(recvbuf, recvcount, recvtype),
      [&] { return PMPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int rota_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_irregular(comm, sendbuf, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                         CountedSide(recvbuf, recvcounts, rdispls, recvtype), [&] {
                           return PMPI_Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                   recvcounts, rdispls, recvtype, comm);
                         });
}

int rota_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_irregular(comm, sendbuf, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
                         TypedSide(recvbuf, recvcounts, rdispls, recvtypes), [&] {
                           return PMPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                   recvcounts, rdispls, recvtypes, comm);
                         });
}
#endif

}  // extern "C"
