// Scan and exscan.
#include "rota.h"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/reduction.hpp"

namespace rota::mpi {

namespace {

class Scan final : public Operation {
 public:
  Scan(const Reduction& reduction, MPI_Count count) : reduction_(reduction), count_(count) {}

  Collective collective() const override { return Collective::scan; }

  std::optional<Call> seen_by_all(const Place& place) const override {
    if (is_refused(reduction_.operation, count_) || is_misplaced(collective(), reduction_, count_)) return {};
    return call_of(collective(), place, reduction_.operation, count_);
  }

  std::vector<MPI_Datatype> types(const Place&) const override { return {reduction_.operation.type}; }

  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    const Self self = companion.self();
    CombinedData store(reduction_.operation, Parts::prefixes(count_, schedule.problem.blocks), self);
    store.add(self.rank, reduction_.source(), reduction_.recvbuf);
    execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
    store.settle(self.rank);  // rank 0 has combined nothing
  }

 private:
  Reduction reduction_;
  MPI_Count count_;
};

class Exscan final : public Operation {
 public:
  Exscan(const Reduction& reduction, MPI_Count count) : reduction_(reduction), count_(count) {}

  Collective collective() const override { return Collective::exscan; }

  std::optional<Call> seen_by_all(const Place& place) const override {
    if (is_refused(reduction_.operation, count_)) return {};
    // Nothing is received on rank 0, so its receive buffer may be anything.
    const bool receives = place.rank > 0 || reduction_.is_in_place();
    const bool misplaced =
        receives ? is_misplaced(collective(), reduction_, count_)
                 : is_nowhere({const_cast<void*>(reduction_.sendbuf), count_, reduction_.operation.type});
    if (misplaced) return {};
    return call_of(collective(), place, reduction_.operation, count_);
  }

  std::vector<MPI_Datatype> types(const Place&) const override { return {reduction_.operation.type}; }

  /// A rank's result is the prefix of the rank before it.
  void play(const Call&, const Schedule& schedule, const Companion& companion) const override {
    const Self self = companion.self();
    CombinedData store(reduction_.operation, Parts::prefixes(count_, schedule.problem.blocks), self);
    store.add(self.rank, reduction_.source());
    if (self.rank > 0) {
      // In place the result would be written over this rank's own values.
      if (reduction_.is_in_place()) store.settle(self.rank);
      store.add(self.rank - 1, nullptr, reduction_.recvbuf);
    }
    execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
  }

 private:
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
      [&] { return PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm); });
}

int rota_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::exscan, {count, datatype},
      [&] { return rota::mpi::Exscan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm); });
}

#if MPI_VERSION >= 4
int rota_scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::scan, {count, datatype},
      [&] { return rota::mpi::Scan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return PMPI_Scan_c(sendbuf, recvbuf, count, datatype, op, comm); });
}

int rota_exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::exscan, {count, datatype},
      [&] { return rota::mpi::Exscan({sendbuf, recvbuf, {op, datatype}}, count); },
      [&] { return PMPI_Exscan_c(sendbuf, recvbuf, count, datatype, op, comm); });
}
#endif

}  // extern "C"
