#include "rota.h"
#include "rota_mpi/calls/combining/allreduce_between.hpp"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/play/execute.hpp"

namespace rota::mpi {

namespace {

/// `items` cut into equal parts for `owners`, as the schedule asks for.
Parts parts_of(const Problem& problem, MPI_Count items) {
  const std::vector<Rank> owners = owners_of(problem);
  const Cut cut{items, static_cast<std::int64_t>(owners.size())};
  std::vector<MPI_Count> firsts{0};
  for (std::size_t i = 0; i < owners.size(); ++i) {
    firsts.resize(static_cast<std::size_t>(owners[i]) + 1, firsts.back());  // ranks in between own nothing
    firsts.push_back(cut.range(static_cast<std::int64_t>(i)).last);
  }
  return Parts::shares(std::move(firsts), problem.blocks);
}

class Allreduce final : public Operation {
 public:
  Allreduce(const Reduction& reduction, MPI_Count count) : reduction_(reduction), count_(count) {}

  Collective collective() const override { return Collective::allreduce; }

  Arguments arguments(const Place&, MPI_Comm asking) const override {
    return arguments_of(reduction_, count_, asking);
  }

  int alone(const Place&, MPI_Comm self) const override { return allreduced_alone(reduction_, count_, self); }

  std::vector<Data> touched(const Place&) const override { return touched_by(reduction_, count_); }

  Call seen_by_all(const Place& place) const override {
    return call_of(collective(), place, reduction_.operation, count_);
  }

  int serve_between_groups(MPI_Comm comm, const Place&, NativeCall native) const override {
    return serve_allreduce_between(comm, reduction_, count_, native);
  }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    CombinedData store(reduction_.operation, parts_of(schedule.problem, count_), companion.self());
    store.add(0, reduction_.source(), reduction_.recvbuf);
    execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
  }

 private:
  Reduction reduction_;
  MPI_Count count_;
};

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::allreduce, {count, datatype},
      [&] { return rota::mpi::Allreduce({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return rota::mpi::pmpi.Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

#if MPI_VERSION >= 4
int rota_allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::allreduce, {count, datatype},
      [&] { return rota::mpi::Allreduce({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return rota::mpi::pmpi.Allreduce_c(sendbuf, recvbuf, count, datatype, op, comm); });
}
#endif

}  // extern "C"
