#include "rota.h"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/way/between.hpp"

namespace rota::mpi {

namespace {

/// MPI's code for this rank as the root, and alone.
int reduced_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self) {
  const Operator& by = reduction.operation;
#if MPI_VERSION >= 4
  return pmpi.Reduce_c(reduction.sendbuf, reduction.recvbuf, count, by.type, by.op, 0, self);
#else
  return pmpi.Reduce(reduction.sendbuf, reduction.recvbuf, static_cast<int>(count), by.type, by.op, 0, self);
#endif
}

class Reduce final : public Operation {
 public:
  Reduce(const Reduction& reduction, MPI_Count count, int root)
      : reduction_(reduction), count_(count), root_(root) {}

  Collective collective() const override { return Collective::reduce; }

  Arguments arguments(const Place& place, MPI_Comm asking) const override {
    const bool is_wrong = root_ < 0 || root_ >= place.ranks;
    return worst({refused_if(is_wrong), place.rank == root_ ? arguments_of(reduction_, count_, asking)
                                                            : arguments_to_send(reduction_, count_, asking)});
  }

  int alone(const Place& place, MPI_Comm self) const override {
    return place.rank == root_ ? reduced_alone(reduction_, count_, self)
                               : sent_alone(reduction_, count_, self);
  }

  std::vector<Data> touched(const Place& place) const override {
    return place.rank == root_ ? touched_by(reduction_, count_) : std::vector{reduction_.sent(count_)};
  }

  Call seen_by_all(const Place& place) const override {
    Call call = call_of(collective(), place, reduction_.operation, count_);
    call.problem.root = root_;
    return call;
  }

  int serve_between_groups(MPI_Comm comm, const Place& place, NativeCall native) const override {
    if (root_ == MPI_PROC_NULL || is_refused_between(asking_comm(comm))) return native();
    const Call seen = call_of(collective(), place, reduction_.operation, count_);
    const Data touched = root_ == MPI_ROOT ? reduction_.received(count_) : reduction_.sent(count_);
    const RootedCall call{comm,   place,     Collective::inter_reduce, root_, seen.bytes,
                          count_, {touched}, seen.problem.in_order};
    return serve_rooted_between(call, native, [&](const Schedule& schedule, const Companion& companion) {
      CombinedData store(reduction_.operation, Parts::whole(count_, schedule.problem.blocks),
                         companion.self());
      if (root_ == MPI_ROOT) {
        store.add(0, nullptr, reduction_.recvbuf);
      } else {
        store.add(0, reduction_.sendbuf);
      }
      execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
    });
  }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    CombinedData store(reduction_.operation, Parts::whole(count_, schedule.problem.blocks), companion.self());
    if (companion.rank == root_) {
      store.add(0, reduction_.source(), reduction_.recvbuf);
    } else {
      store.add(0, reduction_.sendbuf);
    }
    execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
  }

 private:
  /// As a root, or as one of those who have data for it.
  bool is_refused_between(MPI_Comm asking) const {
    if (root_ != MPI_ROOT) {
      return is_refused(arguments_to_send(reduction_, count_, asking),
                        [&](MPI_Comm self) { return sent_alone(reduction_, count_, self); });
    }
    const Reduction in_place{MPI_IN_PLACE, reduction_.recvbuf, reduction_.operation};
    return is_refused(arguments_to_receive(reduction_, count_, asking),
                      [&](MPI_Comm self) { return reduced_alone(in_place, count_, self); });
  }

  Reduction reduction_;
  MPI_Count count_;
  int root_;
};

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::reduce, {count, datatype},
      [&] { return rota::mpi::Reduce({sendbuf, recvbuf, {op, datatype}}, count, root); },
      [&] { return rota::mpi::pmpi.Reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

#if MPI_VERSION >= 4
int rota_reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::reduce, {count, datatype},
      [&] { return rota::mpi::Reduce({sendbuf, recvbuf, {op, datatype}}, count, root); },
      [&] { return rota::mpi::pmpi.Reduce_c(sendbuf, recvbuf, count, datatype, op, root, comm); });
}
#endif

}  // extern "C"
