#include "rota_mpi/calls/combining/combining.hpp"
#include "rota_mpi/calls/combining/combining_like.hpp"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/calls/rooted_between.hpp"
#include "rota_mpi/library/counted.hpp"

namespace rota::mpi {

namespace {

/// MPI's code for this rank as the root, and alone.
int reduced_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self) {
  return combined_alone(reduction, count, self, [&](const Reduction& asked) {
    const Operator& by = asked.operation;
    return counted::Reduce(asked.sendbuf, asked.recvbuf, counted::number(count), by.type, by.op, 0, self);
  });
}

/// Of one array, without its values.
std::unique_ptr<CombinedData> store_of(const Reduction& reduction, MPI_Count count, const Schedule& schedule,
                                       const Companion& companion) {
  return std::make_unique<CombinedData>(reduction.operation, Parts::whole(count, schedule.problem.blocks),
                                        companion.self());
}

class Reduce final : public Within {
 public:
  Reduce(const Passage& passage, const Reduction& reduction, MPI_Count count, int root)
      : Within(passage), reduction_(reduction), count_(count), root_(root) {}

 private:
  bool is_root() const { return place().rank == root_; }

  Arguments arguments(MPI_Comm asking) const override {
    return worst({refused_if(root_ < 0 || root_ >= place().ranks),
                  is_root() ? arguments_of(reduction_, count_, asking)
                            : arguments_to_send(reduction_, count_, asking)});
  }

  int alone(MPI_Comm self) const override {
    return is_root() ? reduced_alone(reduction_, count_, self) : sent_alone(reduction_, count_, self);
  }

  Call seen_by_all() const override {
    Call call = call_of(Collective::reduce, place(), reduction_.operation, count_);
    call.problem.root = root_;
    return call;
  }

  std::vector<Data> touched() const override {
    return is_root() ? touched_by(reduction_, count_) : std::vector{reduction_.sent(count_)};
  }

  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }

  TryOut like_it() const override {
    return combining_like<"reduce try-out">(
        seen_by_all(), 1,
        [root = root_](const TriedReduction& tried, NativeCall own) {
          return serve_reduce(tried.sent, tried.received, tried.items, tried.by.type, tried.by.op, root,
                              tried.comm, own);
        },
        [root = root_](const TriedReduction& tried) {
          return pmpi.Reduce(tried.sent, tried.received, static_cast<int>(tried.items), tried.by.type,
                             tried.by.op, root, tried.comm);
        });
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    auto store = store_of(reduction_, count_, schedule, companion);
    if (is_root()) {
      store->add(0, reduction_.source(), reduction_.recvbuf);
    } else {
      store->add(0, reduction_.sendbuf);
    }
    return store;
  }

  Reduction reduction_;
  MPI_Count count_;
  int root_;
};

/// The root has no data of its own.
class ReduceBetween final : public RootedBetween {
 public:
  ReduceBetween(const Passage& passage, const Reduction& reduction, MPI_Count count, int root)
      : RootedBetween(passage, Collective::inter_reduce, root),
        place_(passage.place),
        reduction_(reduction),
        count_(count) {}

 private:
  bool is_refused_here(MPI_Comm asking) const override {
    if (!is_root()) {
      return is_refused(arguments_to_send(reduction_, count_, asking),
                        [&](MPI_Comm self) { return sent_alone(reduction_, count_, self); });
    }
    const Reduction in_place{MPI_IN_PLACE, reduction_.recvbuf, reduction_.operation};
    return is_refused(arguments_to_receive(reduction_, count_, asking),
                      [&](MPI_Comm self) { return reduced_alone(in_place, count_, self); });
  }

  Call described() const override {
    return call_of(Collective::inter_reduce, place_, reduction_.operation, count_);
  }

  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }

  StandIn::Native stand_in(Manner manner) const override {
    return [manner, root = root(), comm = comm()](StandIn::Bytes& bytes, MPI_Request* request) {
      auto& [sent, received] = bytes;
#ifdef ROTA_HAS_SESSIONS
      if (manner == Manner::persistent) {
        return pmpi.Reduce_init(&sent, &received, 1, MPI_BYTE, MPI_BOR, root, comm, MPI_INFO_NULL, request);
      }
#endif
      return pmpi.Ireduce(&sent, &received, 1, MPI_BYTE, MPI_BOR, root, comm, request);
    };
  }

  std::vector<Data> touched() const override {
    return {is_root() ? reduction_.received(count_) : reduction_.sent(count_)};
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    auto store = store_of(reduction_, count_, schedule, companion);
    if (is_root()) {
      store->add(0, nullptr, reduction_.recvbuf);
    } else {
      store->add(0, reduction_.sendbuf);
    }
    return store;
  }

  Place place_;
  Reduction reduction_;
  MPI_Count count_;
};

}  // namespace

int serve_reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, NativeCall native) {
  return serve(
      comm, Collective::reduce, {count, datatype},
      [=](const Passage& passage) {
        return Reduce(passage, {sendbuf, recvbuf, {op, datatype}}, count, root);
      },
      [=](const Passage& passage) {
        return ReduceBetween(passage, {sendbuf, recvbuf, {op, datatype}}, count, root);
      },
      native);
}

}  // namespace rota::mpi
