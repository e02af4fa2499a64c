// Alltoall, alltoallv and alltoallw among neighbours in a topology: all-to-many calls of which each rank names few others.
#include "rota_mpi/calls/exchanging/exchange.hpp"
#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/exchanging/neighbours.hpp"

namespace rota::mpi {

namespace {

class NeighbourExchange final : public IrregularExchange {
 public:
  NeighbourExchange(const Passage& passage, const Side& send, const Side& receive)
      : IrregularExchange(passage), send_(send), receive_(receive) {}

 private:
  const char* reason_not_to_look() const override {
    if (!has_topology(passage().comm)) return "there is no topology";
    return IrregularExchange::reason_not_to_look();
  }

  const AllToManyCall& call() override {
    return (sides_ ? *sides_ : sides_.emplace(passage().comm, send_, receive_)).call();
  }

  const Side& send_;
  const Side& receive_;
  std::optional<NeighbourSides> sides_;
};

int serve_neighbours(MPI_Comm comm, const Side& send, const Side& receive, NativeCall native) {
  return serve_exchange(
      comm, [&](const Passage& passage) { return NeighbourExchange(passage, send, receive); }, native);
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
