#include "rota_mpi/calls/exchanging/sides.hpp"

namespace rota::mpi {

std::vector<PeerLoad> Side::loads(Rank ranks) const {
  std::vector<PeerLoad> all;
  for (Rank peer = 0; peer < ranks; ++peer) {
    const std::int64_t peers_bytes = bytes(peer);
    if (peers_bytes > 0) all.push_back({peer, peers_bytes});
  }
  return all;
}

Arguments arguments_of_piece(const Data& data, MPI_Datatype before, MPI_Comm asking) {
#ifndef OPEN_MPI
  if (data.count == 0) return Arguments::plain;
#endif
  return arguments_of(data, data.type == before ? MPI_COMM_NULL : asking);
}

Arguments AllToManyCall::arguments(Rank ranks, MPI_Comm asking) const {
  const Arguments received = receive.arguments(ranks, asking);
  if (send == nullptr || received == Arguments::refused) return received;
  const SideArguments described = send->described();
  const bool is_same = described.buffer != MPI_BOTTOM && described == receive.described();
  return worst({received, send->arguments(ranks, asking), odd_if(is_same)});
}

}  // namespace rota::mpi
