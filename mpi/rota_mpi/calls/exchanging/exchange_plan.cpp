// Alltoallv, planned once and run many times.
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "rota.h"
#include "rota_mpi/calls/exchanging/irregular_exchange.hpp"
#include "rota_mpi/library/counted.hpp"
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
struct Described {
  Numbers counts;
  Numbers displacements;
  MPI_Datatype type;

  CountedSide at(const void* buffer) const { return {buffer, counts, displacements, type}; }
};

MadeType duplicate(MPI_Datatype type) {
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check(pmpi.Type_dup(type, &copy));
  return MadeType(copy);
}

/// A copy of that, which stays when the program has changed its arrays and freed its type: as the MPI
/// library's own call takes it, which a plan may have to make.
class Kept {
 public:
  Kept(const Described& side, int peers)
      : counts_(side.counts.copied<counted::Number>(peers)),
        displacements_(side.displacements.copied<counted::Displacement>(peers)),
        type_(duplicate(side.type)) {}

  const counted::Number* counts() const { return counts_.data(); }
  const counted::Displacement* displacements() const { return displacements_.data(); }
  MPI_Datatype type() const { return type_.handle(); }

  CountedSide at(const void* buffer) const { return {buffer, counts(), displacements(), type()}; }

 private:
  std::vector<counted::Number> counts_;
  std::vector<counted::Displacement> displacements_;
  MadeType type_;
};

/// Before there are buffers: where these will be, each run asks.
class Planning : public IrregularExchange {
 public:
  using IrregularExchange::IrregularExchange;

 private:
  bool is_on_device_here() final { return false; }
};

/// What is decided before there are buffers: none of the program's is looked at.
Decision decision_for(const Passage& passage, const Described& send, const Described& receive) {
  if (is_inter(passage.comm))
    return left_to_native(all_to_many_call(passage.place.ranks), "inter-communicator");
  const std::array<char, 2> somewhere{};  // in two places, for MPI forbids one for both
  ExchangeOf<Planning, CountedSide> exchange(passage, send.at(&somewhere.front()),
                                             receive.at(&somewhere.back()), send.counts.is_null());
  const Decision decision = exchange.decide_for_runs();
  // Only now: the others have looked at this rank's arguments too.
  if (exchange.arguments() != Arguments::plain) throw MpiError{MPI_ERR_ARG};
  return decision;
}

/// One run of what has been decided; natively, too, where this rank's buffers are such as MPI may refuse.
class PlannedRun : public Exchange {
 public:
  PlannedRun(const Passage& passage, const Decision& decision) : Exchange(passage), decision_(decision) {}

  std::optional<Look> look() final {
    if (decision_.companion == nullptr) return Look{decision_.call, decision_.choice.reason};
    return Look{decision_.call, arguments() == Arguments::plain ? nullptr : refused_arguments};
  }
  Decision decide(const Call& call) final {
    Companion& among = *decision_.companion;
    if (among.is_device_aware && among.most(is_any_on_device() ? 1 : 0) > 0)
      return left_to_native(call, device_memory);
    among.open();
    return decision_;
  }

 private:
  const Decision& decision_;
};

class PlannedAlltoallv final : public rota_plan {
 public:
  /// Collective. Throws MpiError, std::bad_alloc.
  PlannedAlltoallv(const Passage& passage, const Described& send, const Described& receive)
      : passage_(passage),
        decision_(decision_for(passage, send, receive)),
        receive_(receive, kind_of(passage.comm).peers) {
    if (!send.counts.is_null()) send_.emplace(send, kind_of(passage.comm).peers);
    if (decision_.plan == nullptr) return;
    plan_ = *decision_.plan;  // that one stays until the communicator's next call only
    decision_.plan = &plan_;
  }

  int run(const void* sendbuf, void* recvbuf) override {
    return raising_on(passage_.comm, [&]() -> int {
      if ((sendbuf == MPI_IN_PLACE) == send_.has_value()) throw MpiError{MPI_ERR_BUFFER};
      const CountedSide receive = receive_.at(recvbuf);
      const int code =
          carry_out(ExchangeOf<PlannedRun, CountedSide>(passage_, send_ ? send_->at(sendbuf) : receive,
                                                        receive, !send_, decision_),
                    passage_.comm, named<"alltoallv_plan">([&] { return run_natively(sendbuf, recvbuf); }));
      decision_.made_plan = false;  // but for the first run
      return code;
    });
  }

 private:
  int run_natively(const void* sendbuf, void* recvbuf) const {
    const Kept& sent = send_ ? *send_ : receive_;  // in place: they do not matter
    return counted::Alltoallv(sendbuf, sent.counts(), sent.displacements(), sent.type(), recvbuf,
                              receive_.counts(), receive_.displacements(), receive_.type(), passage_.comm);
  }

  Passage passage_;
  Decision decision_;
  Plan plan_;
  std::optional<Kept> send_;
  Kept receive_;
};

int plan_alltoallv(MPI_Comm comm, const Described& send, const Described& receive, rota_plan** plan) {
  return raising_on(comm, [&]() -> int {
    if (comm == MPI_COMM_NULL) throw MpiError{MPI_ERR_COMM};
    const Passage passage{comm, place_in(comm)};
    if (plan == nullptr) throw MpiError{MPI_ERR_ARG};
    *plan = std::make_unique<PlannedAlltoallv>(passage, send, receive).release();
    return MPI_SUCCESS;
  });
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_alltoallv_plan(const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                        rota_plan** plan) {
  return rota::mpi::plan_alltoallv(comm, {sendcounts, sdispls, sendtype}, {recvcounts, rdispls, recvtype},
                                   plan);
}

#if MPI_VERSION >= 4
int rota_alltoallv_plan_c(const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                          MPI_Comm comm, rota_plan** plan) {
  return rota::mpi::plan_alltoallv(comm, {sendcounts, sdispls, sendtype}, {recvcounts, rdispls, recvtype},
                                   plan);
}
#endif

int rota_plan_run(rota_plan* plan, const void* sendbuf, void* recvbuf) {
  return plan == nullptr ? rota::mpi::raise_alone(MPI_ERR_ARG) : plan->run(sendbuf, recvbuf);
}

int rota_plan_free(rota_plan** plan) {
  if (plan == nullptr || *plan == nullptr) return rota::mpi::raise_alone(MPI_ERR_ARG);
  delete *plan;
  *plan = nullptr;
  return MPI_SUCCESS;
}

}  // extern "C"
