// Alltoall, alltoallv and alltoallw among neighbours in a topology: all-to-many calls of which each rank names few others.
#include "rota.h"
#include "rota_mpi/calls/exchanging/exchange.hpp"
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
    if (!sides_) call_.emplace(sides_.emplace(passage().comm, send_, receive_).call());
    return *call_;
  }

  const Side& send_;
  const Side& receive_;
  std::optional<NeighbourSides> sides_;
  std::optional<AllToManyCall> call_;
};

int serve_neighbours(MPI_Comm comm, const Side& send, const Side& receive, NativeCall native) {
  return serve_exchange(
      comm, [&](const Passage& passage) { return NeighbourExchange(passage, send, receive); }, native);
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_neighbours(
      comm, EqualSide(sendbuf, sendcount, sendtype), EqualSide(recvbuf, recvcount, recvtype), [&] {
        return pmpi.Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
      });
}

int rota_neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                            MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_neighbours(comm, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                          CountedSide(recvbuf, recvcounts, rdispls, recvtype), [&] {
                            return pmpi.Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                           recvcounts, rdispls, recvtype, comm);
                          });
}

int rota_neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_neighbours(comm, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
                          TypedSide(recvbuf, recvcounts, rdispls, recvtypes), [&] {
                            return pmpi.Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                           recvcounts, rdispls, recvtypes, comm);
                          });
}

#if MPI_VERSION >= 4
int rota_neighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_neighbours(
      comm, EqualSide(sendbuf, sendcount, sendtype), EqualSide(recvbuf, recvcount, recvtype), [&] {
        return pmpi.Neighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
      });
}

int rota_neighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_neighbours(comm, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                          CountedSide(recvbuf, recvcounts, rdispls, recvtype), [&] {
                            return pmpi.Neighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                             recvcounts, rdispls, recvtype, comm);
                          });
}

int rota_neighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_neighbours(comm, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
                          TypedSide(recvbuf, recvcounts, rdispls, recvtypes), [&] {
                            return pmpi.Neighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                             recvcounts, rdispls, recvtypes, comm);
                          });
}
#endif

}  // extern "C"
