// Reduce-scatter with shares of any size, and with equal ones.
#include <algorithm>

#include "rota.h"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/reduction.hpp"
#include "rota_mpi/shares.hpp"

namespace rota::mpi {

namespace {

class ReduceScatter final : public Operation {
 public:
  ReduceScatter(const Reduction& reduction, std::vector<MPI_Count> counts)
      : reduction_(reduction), counts_(std::move(counts)) {}

  Collective collective() const override { return Collective::reduce_scatter; }

  std::optional<Call> seen_by_all(const Place& place) const override {
    const Operator& operation = reduction_.operation;
    const auto refused = [&](MPI_Count count) { return is_refused(operation, count); };
    if (std::ranges::any_of(counts_, refused) || is_misplaced(place)) return {};
    Call call = shared_call(collective(), counts_, size_of(operation.type));
    call.problem.in_order = !does_commute(operation.op);
    return call;
  }

  std::vector<MPI_Datatype> types(const Place&) const override { return {reduction_.operation.type}; }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    const Self self = companion.self();
    const std::vector<MPI_Count> firsts = prefix_sums(counts_);
    CombinedData store(reduction_.operation, Parts::shares(firsts, schedule.problem.blocks), self);
    store.add(0, reduction_.source());
    execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
    copy_items(store.own_items(self.rank),
               {reduction_.recvbuf, counts_[static_cast<std::size_t>(self.rank)], reduction_.operation.type},
               self);
  }

 private:
  bool is_misplaced(const Place& place) const {
    const MPI_Count all = sum_of(counts_);
    const MPI_Count mine = counts_[static_cast<std::size_t>(place.rank)];
    MPI_Datatype type = reduction_.operation.type;
    if (is_nowhere({reduction_.recvbuf, reduction_.is_in_place() ? all : mine, type})) return true;
    if (reduction_.is_in_place()) return false;
    return is_nowhere({const_cast<void*>(reduction_.sendbuf), all, type}) ||
           is_refused_alias(collective(), reduction_.sendbuf, reduction_.recvbuf, mine);
  }

  Reduction reduction_;
  std::vector<MPI_Count> counts_;
};

std::vector<MPI_Count> equal_counts(MPI_Count count, MPI_Comm comm) {
  return std::vector<MPI_Count>(static_cast<std::size_t>(ranks_of(comm)), count);
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve(
      comm, rota::Collective::reduce_scatter, {sum_of(recvcounts, comm), datatype},
      [&] { return ReduceScatter({sendbuf, recvbuf, {op, datatype}}, entries<MPI_Count>(recvcounts, comm)); },
      [&] { return PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int rota_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve(
      comm, rota::Collective::reduce_scatter, {recvcount * MPI_Count{ranks_of(comm)}, datatype},
      [&] { return ReduceScatter({sendbuf, recvbuf, {op, datatype}}, equal_counts(recvcount, comm)); },
      [&] { return PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

#if MPI_VERSION >= 4
int rota_reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve(
      comm, rota::Collective::reduce_scatter, {sum_of(recvcounts, comm), datatype},
      [&] { return ReduceScatter({sendbuf, recvbuf, {op, datatype}}, entries<MPI_Count>(recvcounts, comm)); },
      [&] { return PMPI_Reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int rota_reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve(
      comm, rota::Collective::reduce_scatter, {recvcount * MPI_Count{ranks_of(comm)}, datatype},
      [&] { return ReduceScatter({sendbuf, recvbuf, {op, datatype}}, equal_counts(recvcount, comm)); },
      [&] { return PMPI_Reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}
#endif

}  // extern "C"
