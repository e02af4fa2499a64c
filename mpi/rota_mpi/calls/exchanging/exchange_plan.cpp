// Alltoallv, planned once and run many times.
#include <memory>
#include <optional>
#include <vector>

#include "rota.h"
#include "rota_mpi/calls/exchanging/all_to_many.hpp"
#include "rota_mpi/library/made_type.hpp"

/// What a program holds.
struct rota_plan {
  rota_plan() = default;
  rota_plan(const rota_plan&) = delete;
  rota_plan& operator=(const rota_plan&) = delete;
  virtual ~rota_plan() = default;

  virtual int run(const void* sendbuf, void* recvbuf) = 0;
};

namespace rota::mpi {

namespace {

/// One side of a call as the program describes it, but for the buffer; no arrays: in place.
template <class Count, class Displacement>
struct Described {
  const Count* counts;
  const Displacement* displacements;
  MPI_Datatype type;

  CountedSide<Count, Displacement> at(const void* buffer) const {
    return {buffer, counts, displacements, type};
  }
};

MadeType duplicate(MPI_Datatype type) {
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check(pmpi.Type_dup(type, &copy));
  return MadeType(copy);
}

/// A copy of that, which stays when the program has changed its arrays and freed its type.
template <class Count, class Displacement>
class Kept {
 public:
  Kept(const Described<Count, Displacement>& side, int peers)
      : counts_(side.counts, side.counts + peers),
        displacements_(side.displacements, side.displacements + peers),
        type_(duplicate(side.type)) {}

  Described<Count, Displacement> side() const {
    return {counts_.data(), displacements_.data(), type_.handle()};
  }

 private:
  std::vector<Count> counts_;
  std::vector<Displacement> displacements_;
  MadeType type_;
};

bool are_plain(const AllToManyCall& call, MPI_Comm comm, const Place& place) {
  return call.arguments(place.ranks, asking_comm(comm)) == Arguments::plain;
}

/// What is decided before there are buffers: none of its own is looked at.
template <class Count, class Displacement>
Decision decision_for(MPI_Comm comm, const Place& place, const Described<Count, Displacement>& send,
                      const Described<Count, Displacement>& receive) {
  if (is_inter(comm)) return {.reason = "inter-communicator"};
  const char somewhere = 0;
  const Sides sides{send.at(&somewhere), receive.at(&somewhere), send.counts == nullptr};
  const AllToManyCall call = sides.call();
  const char* const reason = reason_for_native_all_to_many(place.ranks, settings());
  const char* const always = reason != nullptr ? reason : watch_over(comm).always_native;
  const Decision decision =
      always != nullptr ? Decision{.reason = always} : irregular.decision({comm, place, call});
  // Only now: the others have looked at this rank's arguments too.
  if (!are_plain(call, comm, place)) throw MpiError{MPI_ERR_ARG};
  return decision;
}

int peers_in(MPI_Comm comm, const Place& place) {
  if (!is_inter(comm)) return place.ranks;
  int peers = 0;
  check(pmpi.Comm_remote_size(comm, &peers));
  return peers;
}

template <class Count, class Displacement>
class PlannedAlltoallv final : public rota_plan {
 public:
  using Side = Described<Count, Displacement>;
  using Native = int (*)(const void*, const Count*, const Displacement*, MPI_Datatype, void*, const Count*,
                         const Displacement*, MPI_Datatype, MPI_Comm);

  /// Collective. Throws MpiError, std::bad_alloc.
  PlannedAlltoallv(MPI_Comm comm, const Place& place, const Side& send, const Side& receive, Native native)
      : comm_(comm),
        place_(place),
        native_(native),
        decision_(decision_for(comm, place, send, receive)),
        receive_(receive, peers_in(comm, place)) {
    if (send.counts != nullptr) send_.emplace(send, peers_in(comm, place));
    if (decision_.plan == nullptr) return;
    plan_ = *decision_.plan;  // that one stays until the communicator's next call only
    decision_.plan = &plan_;
  }

  int run(const void* sendbuf, void* recvbuf) override {
    return raising_on(comm_, [&]() -> int {
      if ((sendbuf == MPI_IN_PLACE) == send_.has_value()) throw MpiError{MPI_ERR_BUFFER};
      return noted([&](Served& served) { return run_noted(sendbuf, recvbuf, served); });
    });
  }

 private:
  int run_noted(const void* sendbuf, void* recvbuf, Served& served) {
    const Side receive = receive_.side();
    const Side send = send_ ? send_->side() : Side{nullptr, nullptr, MPI_DATATYPE_NULL};
    const Sides sides{send.at(sendbuf), receive.at(recvbuf), !send_};
    const AllToManyCall call = sides.call();
    served = served_by(place_, decision_);
    if (decision_.plan == nullptr || !are_plain(call, comm_, place_)) {
      return native_(sendbuf, send.counts, send.displacements, send.type, recvbuf, receive.counts,
                     receive.displacements, receive.type, comm_);
    }
    mpi::play({comm_, place_, call}, plan_);
    decision_.made_schedule = false;  // but for the first run
    return MPI_SUCCESS;
  }

  MPI_Comm comm_;
  Place place_;
  Native native_;
  Decision decision_;
  Plan plan_;
  std::optional<Kept<Count, Displacement>> send_;
  Kept<Count, Displacement> receive_;
};

template <class Count, class Displacement>
int plan_alltoallv(MPI_Comm comm, const Described<Count, Displacement>& send,
                   const Described<Count, Displacement>& receive,
                   typename PlannedAlltoallv<Count, Displacement>::Native native, rota_plan** plan) {
  return raising_on(comm, [&]() -> int {
    if (comm == MPI_COMM_NULL) throw MpiError{MPI_ERR_COMM};
    const Place place = place_in(comm);
    if (plan == nullptr) throw MpiError{MPI_ERR_ARG};
    *plan =
        std::make_unique<PlannedAlltoallv<Count, Displacement>>(comm, place, send, receive, native).release();
    return MPI_SUCCESS;
  });
}

/// Where there is no plan, there is no communicator either whose handler could be asked.
int no_plan() {
  pmpi.Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_ARG);
  return MPI_ERR_ARG;
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_alltoallv_plan(const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                        rota_plan** plan) {
  using Side = rota::mpi::Described<int, int>;
  return rota::mpi::plan_alltoallv(comm, Side{sendcounts, sdispls, sendtype},
                                   Side{recvcounts, rdispls, recvtype}, rota::mpi::pmpi.Alltoallv, plan);
}

#if MPI_VERSION >= 4
int rota_alltoallv_plan_c(const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                          MPI_Comm comm, rota_plan** plan) {
  using Side = rota::mpi::Described<MPI_Count, MPI_Aint>;
  return rota::mpi::plan_alltoallv(comm, Side{sendcounts, sdispls, sendtype},
                                   Side{recvcounts, rdispls, recvtype}, rota::mpi::pmpi.Alltoallv_c, plan);
}
#endif

int rota_plan_run(rota_plan* plan, const void* sendbuf, void* recvbuf) {
  return plan == nullptr ? rota::mpi::no_plan() : plan->run(sendbuf, recvbuf);
}

int rota_plan_free(rota_plan** plan) {
  if (plan == nullptr || *plan == nullptr) return rota::mpi::no_plan();
  delete *plan;
  *plan = nullptr;
  return MPI_SUCCESS;
}

}  // extern "C"
