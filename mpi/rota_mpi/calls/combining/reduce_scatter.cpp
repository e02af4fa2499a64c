// Reduce-scatter with shares of any size, and with equal ones.
#include <algorithm>
#include <utility>

#include "rota_mpi/calls/combining/combining.hpp"
#include "rota_mpi/calls/combining/combining_like.hpp"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/calls/shares.hpp"
#include "rota_mpi/library/counted.hpp"
#include "rota_mpi/way/operators.hpp"

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

/// How many items each rank gets, and how the caller said so.
struct ShareCounts {
  std::vector<MPI_Count> each;
  bool are_one = false;
};

class ReduceScatter final : public Within {
 public:
  ReduceScatter(const Passage& passage, const Reduction& reduction, ShareCounts counts)
      : Within(passage),
        reduction_(reduction),
        counts_(std::move(counts.each)),
        has_one_count_(counts.are_one) {}

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
    return combined_alone(reduction_, sum_of(counts_), self, [&](const Reduction& asked) {
      const Operator& by = asked.operation;
      const counted::Number count = counted::number(mine());
      return counted::Reduce_scatter(asked.sendbuf, asked.recvbuf, &count, by.type, by.op, self);
    });
  }

  Call seen_by_all() const override {
    const Operator& operation = reduction_.operation;
    Call call = shared_call(Collective::reduce_scatter, counts_, operation.type);
    call.problem.in_order = call.bytes > 0 && !does_commute(operation.op);
    call.is_exact = is_exact(operation.op, operation.type);
    call.has_one_count = has_one_count_;
    return call;
  }

  std::vector<Data> touched() const override {
    const MPI_Count all = sum_of(counts_);
    if (reduction_.is_in_place()) return {reduction_.received(all)};
    return {reduction_.sent(all), reduction_.received(mine())};
  }

  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }

  /// Of equal shares, which need not be the call's own.
  TryOut like_it() const override {
    return combining_like<"reduce_scatter_block try-out">(
        seen_by_all(), place().ranks,
        [](const TriedReduction& tried, NativeCall own) {
          return serve_reduce_scatter_block(tried.sent, tried.received, tried.items, tried.by.type,
                                            tried.by.op, tried.comm, own);
        },
        [](const TriedReduction& tried) {
          return pmpi.Reduce_scatter_block(tried.sent, tried.received, static_cast<int>(tried.items),
                                           tried.by.type, tried.by.op, tried.comm);
        });
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
  bool has_one_count_;
};

/// `counts(ranks)` has one for each rank, `items(ranks)` in all.
template <class Items, class Counts>
int serve_scattered(const Reduction& reduction, const Items& items, const Counts& counts, MPI_Comm comm,
                    NativeCall native) {
  return serve_shares(
      comm, Collective::reduce_scatter,
      [&](Rank ranks) { return Amount{items(ranks), reduction.operation.type}; },
      [&](const Passage& passage) { return ReduceScatter(passage, reduction, counts(passage.place.ranks)); },
      PassedOnBetween{Collective::reduce_scatter}, native);
}

}  // namespace

int serve_reduce_scatter(const void* sendbuf, void* recvbuf, Numbers recvcounts, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm, NativeCall native) {
  return serve_scattered(
      {sendbuf, recvbuf, {op, datatype}}, [&](Rank ranks) { return recvcounts.sum(ranks); },
      [&](Rank ranks) { return ShareCounts{recvcounts.copied<MPI_Count>(ranks)}; }, comm, native);
}

int serve_reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                               MPI_Op op, MPI_Comm comm, NativeCall native) {
  return serve_scattered(
      {sendbuf, recvbuf, {op, datatype}}, [&](Rank ranks) { return recvcount * ranks; },
      [&](Rank ranks) {
        return ShareCounts{std::vector<MPI_Count>(static_cast<std::size_t>(ranks), recvcount), true};
      },
      comm, native);
}

}  // namespace rota::mpi
