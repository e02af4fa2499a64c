// Alltoall, alltoallv and alltoallw.
#include <algorithm>

#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/exchanging/irregular_exchange.hpp"
#include "rota_mpi/calls/exchanging/regular_exchange.hpp"

namespace rota::mpi {

namespace {

/// Of which both sides are of one kind.
template <class OneSide>
int serve_sides(MPI_Comm comm, const OneSide& send, const OneSide& receive, bool is_in_place,
                NativeCall native) {
  return serve_irregular(
      comm,
      [&](const Passage& passage) {
        return ExchangeOf<IrregularExchange, OneSide>(passage, send, receive, is_in_place);
      },
      native);
}

}  // namespace

int serve_alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, NativeCall native) {
  const auto exchange = [&](const Passage& passage) {
    return ExchangeOf<RegularExchange, EqualSide>(passage, EqualSide(sendbuf, sendcount, sendtype),
                                                  EqualSide(recvbuf, recvcount, recvtype),
                                                  sendbuf == MPI_IN_PLACE);
  };
  return serve_shares(
      comm, Collective::all_to_many,
      [&](Rank ranks) { return Amount{recvcount * std::max(1, ranks - 1), recvtype}; }, exchange,
      between_groups(exchange), native);
}

int serve_alltoallv(const void* sendbuf, Numbers sendcounts, Numbers sdispls, MPI_Datatype sendtype,
                    void* recvbuf, Numbers recvcounts, Numbers rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                    NativeCall native) {
  return serve_sides(comm, CountedSide(sendbuf, sendcounts, sdispls, sendtype),
                     CountedSide(recvbuf, recvcounts, rdispls, recvtype), sendbuf == MPI_IN_PLACE, native);
}

int serve_alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const MPI_Datatype sendtypes[],
                    void* recvbuf, Numbers recvcounts, Numbers rdispls, const MPI_Datatype recvtypes[],
                    MPI_Comm comm, NativeCall native) {
  return serve_sides(comm, TypedSide(sendbuf, sendcounts, sdispls, sendtypes),
                     TypedSide(recvbuf, recvcounts, rdispls, recvtypes), sendbuf == MPI_IN_PLACE, native);
}

}  // namespace rota::mpi
