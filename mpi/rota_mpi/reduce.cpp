#include "rota.h"
#include "rota_mpi/between.hpp"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/reduction.hpp"

namespace rota::mpi {

namespace {

class Reduce final : public Operation {
 public:
  Reduce(const Reduction& reduction, MPI_Count count, int root)
      : reduction_(reduction), count_(count), root_(root) {}

  Collective collective() const override { return Collective::reduce; }

  std::optional<Call> seen_by_all(const Place& place) const override {
    if (is_refused(reduction_.operation, count_) || root_ < 0 || root_ >= place.ranks) return {};
    const bool misplaced =
        place.rank == root_
            ? is_misplaced(collective(), reduction_, count_)
            : is_nowhere({const_cast<void*>(reduction_.sendbuf), count_, reduction_.operation.type});
    if (misplaced) return {};
    Call call = call_of(collective(), place, reduction_.operation, count_);
    call.problem.root = root_;
    return call;
  }

  std::vector<MPI_Datatype> types(const Place&) const override { return {reduction_.operation.type}; }

  int serve_between_groups(MPI_Comm comm, const Place& place, NativeCall native) const override {
    if (root_ == MPI_PROC_NULL || is_refused_between()) return native();
    const std::int64_t bytes = count_ * size_of(reduction_.operation.type);
    const RootedCall call{comm,  place,  Collective::inter_reduce,    root_,
                          bytes, count_, {reduction_.operation.type}, !does_commute(reduction_.operation.op)};
    return serve_rooted_between(call, native, [&](const Schedule& schedule, const Companion& companion) {
      const Self self = companion.self();
      CombinedData store(reduction_.operation, Parts::whole(count_, schedule.problem.blocks), self);
      if (root_ == MPI_ROOT) {
        store.add(0, nullptr, reduction_.recvbuf);
      } else {
        store.add(0, reduction_.sendbuf);
      }
      execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
    });
  }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    const Self self = companion.self();
    CombinedData store(reduction_.operation, Parts::whole(count_, schedule.problem.blocks), self);
    if (self.rank == root_) {
      store.add(0, reduction_.source(), reduction_.recvbuf);
    } else {
      store.add(0, reduction_.sendbuf);
    }
    execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
  }

 private:
  /// As a root, or as one of those who have data for it.
  bool is_refused_between() const {
    if (is_refused(reduction_.operation, count_)) return true;
    const void* const buffer = root_ == MPI_ROOT ? reduction_.recvbuf : reduction_.sendbuf;
    return is_nowhere({const_cast<void*>(buffer), count_, reduction_.operation.type});
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
      [&] { return PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

#if MPI_VERSION >= 4
int rota_reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::reduce, {count, datatype},
      [&] { return rota::mpi::Reduce({sendbuf, recvbuf, {op, datatype}}, count, root); },
      [&] { return PMPI_Reduce_c(sendbuf, recvbuf, count, datatype, op, root, comm); });
}
#endif

}  // extern "C"
