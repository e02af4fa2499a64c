#include "rota_mpi/sides.hpp"

#include "rota_mpi/serve.hpp"

namespace rota::mpi {

std::vector<PeerLoad> Side::loads(Rank ranks) const {
  std::vector<PeerLoad> all;
  for (Rank peer = 0; peer < ranks; ++peer) {
    const std::int64_t peers_bytes = bytes(peer);
    if (peers_bytes > 0) all.push_back({peer, peers_bytes});
  }
  return all;
}

bool is_refused(const Data& data) {
  return data.count < 0 || data.type == MPI_DATATYPE_NULL || is_nowhere(data);
}

bool AllToManyCall::is_refused_alias() const {
#ifdef OPEN_MPI
  return false;
#else
  if (send == nullptr) return false;
  const SideArguments arguments = send->arguments();
  return arguments.buffer != MPI_BOTTOM && arguments == receive.arguments();
#endif
}

}  // namespace rota::mpi
