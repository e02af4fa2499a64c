// Scan and exscan.
#include "rota.h"
#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/play/execute.hpp"

namespace rota::mpi {

namespace {

class Scan final : public Operation {
 public:
  Scan(const Reduction& reduction, MPI_Count count) : reduction_(reduction), count_(count) {}

  Collective collective() const override { return Collective::scan; }

  Arguments arguments(const Place&, MPI_Comm asking) const override {
    return arguments_of(reduction_, count_, asking);
  }

  int alone(const Place&, MPI_Comm self) const override {
    const Operator& by = reduction_.operation;
#if MPI_VERSION >= 4
    return pmpi.Scan_c(reduction_.sendbuf, reduction_.recvbuf, count_, by.type, by.op, self);
#else
    return pmpi.Scan(reduction_.sendbuf, reduction_.recvbuf, static_cast<int>(count_), by.type, by.op, self);
#endif
  }

  std::vector<Data> touched(const Place&) const override { return touched_by(reduction_, count_); }

  Call seen_by_all(const Place& place) const override {
    return call_of(collective(), place, reduction_.operation, count_);
  }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    CombinedData store(reduction_.operation, Parts::prefixes(count_, schedule.problem.blocks),
                       companion.self());
    store.add(companion.rank, reduction_.source(), reduction_.recvbuf);
    execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
    store.settle(companion.rank);  // rank 0 has combined nothing
  }

 private:
  Reduction reduction_;
  MPI_Count count_;
};

class Exscan final : public Operation {
 public:
  Exscan(const Reduction& reduction, MPI_Count count) : reduction_(reduction), count_(count) {}

  Collective collective() const override { return Collective::exscan; }

  /// Nothing is received on rank 0, so its receive buffer may be anything.
  Arguments arguments(const Place& place, MPI_Comm asking) const override {
    return receives(place) ? arguments_of(reduction_, count_, asking)
                           : arguments_to_send(reduction_, count_, asking);
  }

  int alone(const Place& place, MPI_Comm self) const override {
    return receives(place) ? allreduced_alone(reduction_, count_, self)
                           : sent_alone(reduction_, count_, self);
  }

  std::vector<Data> touched(const Place& place) const override {
    return receives(place) ? touched_by(reduction_, count_) : std::vector{reduction_.sent(count_)};
  }

  Call seen_by_all(const Place& place) const override {
    return call_of(collective(), place, reduction_.operation, count_);
  }

  /// A rank's result is the prefix of the rank before it.
  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    CombinedData store(reduction_.operation, Parts::prefixes(count_, schedule.problem.blocks),
                       companion.self());
    store.add(companion.rank, reduction_.source());
    if (companion.rank > 0) {
      // In place the result would be written over this rank's own values.
      if (reduction_.is_in_place()) store.settle(companion.rank);
      store.add(companion.rank - 1, nullptr, reduction_.recvbuf);
    }
    execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
  }

 private:
  bool receives(const Place& place) const { return place.rank > 0 || reduction_.is_in_place(); }

  Reduction reduction_;
  MPI_Count count_;
};

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::scan, {count, datatype},
      [&] { return rota::mpi::Scan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return rota::mpi::pmpi.Scan(sendbuf, recvbuf, count, datatype, op, comm); });
}

int rota_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::exscan, {count, datatype},
      [&] { return rota::mpi::Exscan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return rota::mpi::pmpi.Exscan(sendbuf, recvbuf, count, datatype, op, comm); });
}

#if MPI_VERSION >= 4
int rota_scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::scan, {count, datatype},
      [&] { return rota::mpi::Scan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return rota::mpi::pmpi.Scan_c(sendbuf, recvbuf, count, datatype, op, comm); });
}

int rota_exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::exscan, {count, datatype},
      [&] { return rota::mpi::Exscan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return rota::mpi::pmpi.Exscan_c(sendbuf, recvbuf, count, datatype, op, comm); });
}
#endif

}  // extern "C"
