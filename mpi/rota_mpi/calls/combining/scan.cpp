// Scan and exscan.
#include "rota_mpi/calls/combining/combining.hpp"
#include "rota_mpi/calls/combining/combining_like.hpp"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/library/counted.hpp"

namespace rota::mpi {

namespace {

/// An array for each owner, whose prefix it is.
class Prefixes final : public CombinedData {
 public:
  Prefixes(const Reduction& reduction, MPI_Count count, BlockIndex blocks, const Self& self, Rank rank)
      : CombinedData(reduction.operation, Parts::prefixes(count, blocks), self), rank_(rank) {}

  /// Rank 0 has combined nothing.
  void finish() override { settle(rank_); }

 private:
  Rank rank_;
};

/// The same of an exscan, where a rank's result is the prefix of the rank before it.
class PrefixesBefore final : public CombinedData {
 public:
  PrefixesBefore(const Reduction& reduction, MPI_Count count, BlockIndex blocks, const Self& self, Rank rank)
      : CombinedData(reduction.operation, Parts::prefixes(count, blocks), self),
        rank_(rank),
        is_in_place_(reduction.is_in_place()) {}

  /// In place the result would be written over this rank's own values.
  void start() override {
    CombinedData::start();
    if (is_in_place_) settle(rank_);
  }

 private:
  Rank rank_;
  bool is_in_place_;
};

class Scan final : public Within {
 public:
  Scan(const Passage& passage, const Reduction& reduction, MPI_Count count)
      : Within(passage), reduction_(reduction), count_(count) {}

 private:
  Arguments arguments(MPI_Comm asking) const override { return arguments_of(reduction_, count_, asking); }

  int alone(MPI_Comm self) const override {
    return combined_alone(reduction_, count_, self, [&](const Reduction& asked) {
      const Operator& by = asked.operation;
      return counted::Scan(asked.sendbuf, asked.recvbuf, counted::number(count_), by.type, by.op, self);
    });
  }

  Call seen_by_all() const override {
    return call_of(Collective::scan, place(), reduction_.operation, count_);
  }

  std::vector<Data> touched() const override { return touched_by(reduction_, count_); }

  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }

  TryOut like_it() const override {
    return combining_like<"scan try-out", serve_scan, &MpiFunctions::Scan>(seen_by_all());
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    auto store = std::make_unique<Prefixes>(reduction_, count_, schedule.problem.blocks, companion.self(),
                                            companion.rank);
    store->add(companion.rank, reduction_.source(), reduction_.recvbuf);
    return store;
  }

  Reduction reduction_;
  MPI_Count count_;
};

class Exscan final : public Within {
 public:
  Exscan(const Passage& passage, const Reduction& reduction, MPI_Count count)
      : Within(passage), reduction_(reduction), count_(count) {}

 private:
  /// Nothing is received on rank 0, so its receive buffer may be anything.
  bool receives() const { return place().rank > 0 || reduction_.is_in_place(); }

  Arguments arguments(MPI_Comm asking) const override {
    return receives() ? arguments_of(reduction_, count_, asking)
                      : arguments_to_send(reduction_, count_, asking);
  }

  int alone(MPI_Comm self) const override {
    return receives() ? allreduced_alone(reduction_, count_, self) : sent_alone(reduction_, count_, self);
  }

  Call seen_by_all() const override {
    return call_of(Collective::exscan, place(), reduction_.operation, count_);
  }

  std::vector<Data> touched() const override {
    return receives() ? touched_by(reduction_, count_) : std::vector{reduction_.sent(count_)};
  }

  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }

  TryOut like_it() const override {
    return combining_like<"exscan try-out", serve_exscan, &MpiFunctions::Exscan>(seen_by_all());
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    auto store = std::make_unique<PrefixesBefore>(reduction_, count_, schedule.problem.blocks,
                                                  companion.self(), companion.rank);
    store->add(companion.rank, reduction_.source());
    if (companion.rank > 0) store->add(companion.rank - 1, nullptr, reduction_.recvbuf);
    return store;
  }

  Reduction reduction_;
  MPI_Count count_;
};

template <class Prefix>
int serve_prefix(Collective collective, const Reduction& reduction, MPI_Count count, MPI_Comm comm,
                 NativeCall native) {
  return serve(
      comm, collective, {count, reduction.operation.type},
      [&](const Passage& passage) { return Prefix(passage, reduction, count); }, PassedOnBetween{collective},
      native);
}

}  // namespace

int serve_scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, NativeCall native) {
  return serve_prefix<Scan>(Collective::scan, {sendbuf, recvbuf, {op, datatype}}, count, comm, native);
}

int serve_exscan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, NativeCall native) {
  return serve_prefix<Exscan>(Collective::exscan, {sendbuf, recvbuf, {op, datatype}}, count, comm, native);
}

}  // namespace rota::mpi
