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

std::vector<Data> Side::entries(Rank ranks) const {
  std::vector<Data> all;
  all.reserve(static_cast<std::size_t>(ranks));
  for (Rank peer = 0; peer < ranks; ++peer) all.push_back(of(peer));
  return all;
}

std::shared_ptr<KeptArrays> kept_arrays(Numbers counts, Numbers displacements, Rank entries) {
  return std::make_shared<KeptArrays>(counts.copied<MPI_Count>(entries),
                                      displacements.copied<MPI_Count>(entries), std::vector<MPI_Datatype>{});
}

/// Nobody asks the type of no items.
void TypedSide::keep(KeptTypes& types, Rank entries) {
  const auto kept = kept_arrays(counts_, displacements_, entries);
  for (Rank entry = 0; entry < entries; ++entry) {
    kept->types.push_back(counts_[entry] == 0 ? MPI_BYTE : types_[entry]);
    types.keep(kept->types.back());
  }
  counts_ = kept->counts.data();
  displacements_ = kept->displacements.data();
  types_ = kept->types.data();
  kept_ = kept;
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
  return worst({received, send->arguments(ranks, asking), odd_if(is_same())});
}

}  // namespace rota::mpi
