// Alltoall, alltoallv and alltoallw.
#include "rota.h"
#include "rota_mpi/calls/exchanging/exchange.hpp"

extern "C" {

int rota_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_sides<RegularExchange>(
      comm, EqualSide(sendbuf, sendcount, sendtype), EqualSide(recvbuf, recvcount, recvtype),
      sendbuf == MPI_IN_PLACE,
      [&] { return pmpi.Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int rota_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                   MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_sides<IrregularExchange>(comm, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                                        CountedSide(recvbuf, recvcounts, rdispls, recvtype),
                                        sendbuf == MPI_IN_PLACE, [&] {
                                          return pmpi.Alltoallv(sendbuf, sendcounts, sdispls, sendtype,
                                                                recvbuf, recvcounts, rdispls, recvtype, comm);
                                        });
}

int rota_alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const int rdispls[],
                   const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_sides<IrregularExchange>(
      comm, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
      TypedSide(recvbuf, recvcounts, rdispls, recvtypes), sendbuf == MPI_IN_PLACE, [&] {
        return pmpi.Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                              recvtypes, comm);
      });
}

#if MPI_VERSION >= 4
int rota_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_sides<RegularExchange>(
      comm, EqualSide(sendbuf, sendcount, sendtype), EqualSide(recvbuf, recvcount, recvtype),
      sendbuf == MPI_IN_PLACE,
      [&] { return pmpi.Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int rota_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_sides<IrregularExchange>(
      comm, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
      CountedSide(recvbuf, recvcounts, rdispls, recvtype), sendbuf == MPI_IN_PLACE, [&] {
        return pmpi.Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                recvtype, comm);
      });
}

int rota_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace rota::mpi;
  return serve_sides<IrregularExchange>(
      comm, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
      TypedSide(recvbuf, recvcounts, rdispls, recvtypes), sendbuf == MPI_IN_PLACE, [&] {
        return pmpi.Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                recvtypes, comm);
      });
}
#endif

}  // extern "C"
