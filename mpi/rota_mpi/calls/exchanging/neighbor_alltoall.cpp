// Alltoall, alltoallv and alltoallw among neighbours in a topology: all-to-many calls of which each rank names few others.
#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/exchanging/irregular_exchange.hpp"
#include "rota_mpi/calls/exchanging/neighbours.hpp"

namespace rota::mpi {

namespace {

template <class OneSide>
class NeighbourExchange final : public IrregularExchange {
 public:
  NeighbourExchange(const Passage& passage, OneSide send, OneSide receive)
      : IrregularExchange(passage), send_(std::move(send)), receive_(std::move(receive)) {}

 private:
  const char* reason_for_native_unseen() const override {
    if (!has_topology(passage().comm)) return "there is no topology";
    return IrregularExchange::reason_for_native_unseen();
  }

  const AllToManyCall& call() override {
    return (sides_ ? *sides_ : sides_.emplace(passage().comm, send_, receive_)).call();
  }

  void keep(KeptTypes& types) override {
    const Degrees degrees = degrees_of(passage().comm);
    send_.keep(types, degrees.out);
    receive_.keep(types, degrees.in);
  }

  OneSide send_;
  OneSide receive_;
  std::optional<NeighbourSides> sides_;
};

template <class OneSide>
int serve_neighbours(MPI_Comm comm, const OneSide& send, const OneSide& receive, NativeCall native) {
  return serve_irregular(
      comm, [&](const Passage& passage) { return NeighbourExchange<OneSide>(passage, send, receive); },
      native);
}

}  // namespace

int serve_neighbor_alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, NativeCall native) {
  return serve_neighbours(comm, EqualSide(sendbuf, sendcount, sendtype),
                          EqualSide(recvbuf, recvcount, recvtype), native);
}

int serve_neighbor_alltoallv(const void* sendbuf, Numbers sendcounts, Numbers sdispls, MPI_Datatype sendtype,
                             void* recvbuf, Numbers recvcounts, Numbers rdispls, MPI_Datatype recvtype,
                             MPI_Comm comm, NativeCall native) {
  return serve_neighbours(comm, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                          CountedSide(recvbuf, recvcounts, rdispls, recvtype), native);
}

int serve_neighbor_alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                             const MPI_Datatype sendtypes[], void* recvbuf, Numbers recvcounts,
                             Numbers rdispls, const MPI_Datatype recvtypes[], MPI_Comm comm,
                             NativeCall native) {
  return serve_neighbours(comm, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
                          TypedSide(recvbuf, recvcounts, rdispls, recvtypes), native);
}

}  // namespace rota::mpi
