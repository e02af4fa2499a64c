// Reduce-scatter with shares of any size, and with equal ones.
#include <algorithm>
#include <utility>

#include "rota.h"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/calls/shares.hpp"

namespace rota::mpi {

namespace {

/// The whole array is Rota's; at the end this rank's share is copied to where it is to be.
class ScatteredData final : public CombinedData {
 public:
  ScatteredData(const Operator& operation, Parts parts, const Self& self, Rank rank, const Data& share)
      : CombinedData(operation, std::move(parts), self), self_(self), rank_(rank), share_(share) {}

  void finish() override { copy_items(own_items(rank_), share_, self_); }

 private:
  Self self_;
  Rank rank_;
  Data share_;
};

class ReduceScatter final : public Within {
 public:
  ReduceScatter(const Passage& passage, const Reduction& reduction, std::vector<MPI_Count> counts)
      : Within(passage), reduction_(reduction), counts_(std::move(counts)) {}

 private:
  MPI_Count mine() const { return counts_[static_cast<std::size_t>(place().rank)]; }

  Arguments arguments(MPI_Comm asking) const override {
    if (counts_.empty() || std::ranges::any_of(counts_, [](auto count) { return count < 0; }))
      return Arguments::refused;
    const MPI_Count all = sum_of(counts_);
    if (reduction_.is_in_place()) return arguments_to_receive(reduction_, all, asking);
    return worst({arguments_to_receive(reduction_, mine(), asking),
                  arguments_to_send(reduction_, all, asking),
                  arguments_of_places(reduction_.sendbuf, reduction_.recvbuf, mine())});
  }

  int alone(MPI_Comm self) const override {
    const Operator& by = reduction_.operation;
#if MPI_VERSION >= 4
    const MPI_Count count = mine();
    return pmpi.Reduce_scatter_c(reduction_.sendbuf, reduction_.recvbuf, &count, by.type, by.op, self);
#else
    const int count = static_cast<int>(mine());
    return pmpi.Reduce_scatter(reduction_.sendbuf, reduction_.recvbuf, &count, by.type, by.op, self);
#endif
  }

  Call seen_by_all() const override {
    const Operator& operation = reduction_.operation;
    Call call = shared_call(Collective::reduce_scatter, counts_, operation.type);
    call.problem.in_order = call.bytes > 0 && !does_commute(operation.op);
    return call;
  }

  std::vector<Data> touched() const override {
    const MPI_Count all = sum_of(counts_);
    if (reduction_.is_in_place()) return {reduction_.received(all)};
    return {reduction_.sent(all), reduction_.received(mine())};
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    auto store = std::make_unique<ScatteredData>(
        reduction_.operation, Parts::shares(prefix_sums(counts_), schedule.problem.blocks), companion.self(),
        companion.rank, reduction_.received(mine()));
    store->add(0, reduction_.source());
    return store;
  }

  Reduction reduction_;
  std::vector<MPI_Count> counts_;
};

/// `counts_of(ranks)` has one for each rank, and there are `items(ranks)` in all.
template <class Items, class CountsOf>
int serve_reduce_scatter(const Reduction& reduction, const Items& items, const CountsOf& counts_of,
                         MPI_Comm comm, NativeCall native) {
  return serve_shares(
      comm, Collective::reduce_scatter,
      [&](Rank ranks) { return Amount{items(ranks), reduction.operation.type}; },
      [&](const Passage& passage) {
        return ReduceScatter(passage, reduction, counts_of(passage.place.ranks));
      },
      PassedOnBetween{Collective::reduce_scatter}, native);
}

/// With shares of any size.
template <class Count>
int serve_shares_of(const Reduction& reduction, const Count* counts, MPI_Comm comm, NativeCall native) {
  return serve_reduce_scatter(
      reduction, [&](Rank ranks) { return sum_of(counts, ranks); },
      [&](Rank ranks) { return entries<MPI_Count>(counts, ranks); }, comm, native);
}

/// With equal ones.
int serve_equal_shares(const Reduction& reduction, MPI_Count count, MPI_Comm comm, NativeCall native) {
  return serve_reduce_scatter(
      reduction, [&](Rank ranks) { return count * ranks; },
      [&](Rank ranks) { return std::vector<MPI_Count>(static_cast<std::size_t>(ranks), count); }, comm,
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
