// Reduce-scatter with shares of any size, and with equal ones.
#include <algorithm>

#include "rota.h"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/calls/shares.hpp"
#include "rota_mpi/play/execute.hpp"

namespace rota::mpi {

namespace {

class ReduceScatter final : public Operation {
 public:
  ReduceScatter(const Reduction& reduction, std::vector<MPI_Count> counts)
      : reduction_(reduction), counts_(std::move(counts)) {}

  Collective collective() const override { return Collective::reduce_scatter; }

  Arguments arguments(const Place& place, MPI_Comm asking) const override {
    if (counts_.empty() || std::ranges::any_of(counts_, [](auto count) { return count < 0; }))
      return Arguments::refused;
    const MPI_Count all = sum_of(counts_);
    const MPI_Count mine = mine_of(place.rank);
    if (reduction_.is_in_place()) return arguments_to_receive(reduction_, all, asking);
    return worst({arguments_to_receive(reduction_, mine, asking), arguments_to_send(reduction_, all, asking),
                  arguments_of_places(reduction_.sendbuf, reduction_.recvbuf, mine)});
  }

  int alone(const Place& place, MPI_Comm self) const override {
    const Operator& by = reduction_.operation;
    const MPI_Count mine = mine_of(place.rank);
#if MPI_VERSION >= 4
    return pmpi.Reduce_scatter_c(reduction_.sendbuf, reduction_.recvbuf, &mine, by.type, by.op, self);
#else
    const int count = static_cast<int>(mine);
    return pmpi.Reduce_scatter(reduction_.sendbuf, reduction_.recvbuf, &count, by.type, by.op, self);
#endif
  }

  std::vector<Data> touched(const Place& place) const override {
    const MPI_Count all = sum_of(counts_);
    if (reduction_.is_in_place()) return {reduction_.received(all)};
    return {reduction_.sent(all), reduction_.received(mine_of(place.rank))};
  }

  Call seen_by_all(const Place&) const override {
    const Operator& operation = reduction_.operation;
    Call call = shared_call(collective(), counts_, operation.type);
    call.problem.in_order = call.bytes > 0 && !does_commute(operation.op);
    return call;
  }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    const std::vector<MPI_Count> firsts = prefix_sums(counts_);
    const Self& self = companion.self();
    CombinedData store(reduction_.operation, Parts::shares(firsts, schedule.problem.blocks), self);
    store.add(0, reduction_.source());
    execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
    copy_items(store.own_items(companion.rank), reduction_.received(mine_of(companion.rank)), self);
  }

 private:
  MPI_Count mine_of(Rank rank) const { return counts_[static_cast<std::size_t>(rank)]; }

  Reduction reduction_;
  std::vector<MPI_Count> counts_;
};

/// With shares of any size. `counts` has one for each rank.
template <class Count>
int serve_shares_of(const Reduction& reduction, const Count* counts, MPI_Comm comm, NativeCall native) {
  return serve_shares(
      comm, Collective::reduce_scatter,
      [&](const CommKind& kind) { return Amount{sum_of(counts, kind.peers), reduction.operation.type}; },
      [&](const CommKind& kind) { return ReduceScatter(reduction, entries<MPI_Count>(counts, kind.peers)); },
      native);
}

/// With equal ones.
int serve_equal_shares(const Reduction& reduction, MPI_Count count, MPI_Comm comm, NativeCall native) {
  return serve_shares(
      comm, Collective::reduce_scatter,
      [&](const CommKind& kind) { return Amount{count * kind.peers, reduction.operation.type}; },
      [&](const CommKind& kind) {
        return ReduceScatter(reduction, std::vector<MPI_Count>(static_cast<std::size_t>(kind.peers), count));
      },
      native);
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm) {
  return rota::mpi::serve_shares_of({sendbuf, recvbuf, {op, datatype}}, recvcounts, comm, [&] {
    return rota::mpi::pmpi.Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
  });
}

int rota_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm) {
  return rota::mpi::serve_equal_shares({sendbuf, recvbuf, {op, datatype}}, recvcount, comm, [&] {
    return rota::mpi::pmpi.Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
  });
}

#if MPI_VERSION >= 4
int rota_reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return rota::mpi::serve_shares_of({sendbuf, recvbuf, {op, datatype}}, recvcounts, comm, [&] {
    return rota::mpi::pmpi.Reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm);
  });
}

int rota_reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return rota::mpi::serve_equal_shares({sendbuf, recvbuf, {op, datatype}}, recvcount, comm, [&] {
    return rota::mpi::pmpi.Reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm);
  });
}
#endif

}  // extern "C"
