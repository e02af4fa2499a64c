// MPI_Bcast of bytes from rank 0.
#include "bytes.hpp"
#include "contest.hpp"
#include "rota.h"

namespace rota::bench {

namespace {

using Function = int(void*, int, MPI_Datatype, int, MPI_Comm);

struct Broadcast {
  bool is_root;
  std::vector<unsigned char> data;

  Load load() const { return {static_cast<std::int64_t>(data.size()), {}}; }
  void call(Function* bcast) {
    bcast(data.data(), static_cast<int>(data.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  void reset() {
    if (is_root) {
      fill(data, 0);
    } else {
      spoil(data, 0);
    }
  }
  bool correct() const { return holds(data, 0); }
};

}  // namespace

Contest bcast(const Problem& problem) {
  return contest_on(
      Broadcast{problem.rank == 0, std::vector<unsigned char>(static_cast<std::size_t>(problem.bytes))},
      MPI_Bcast, rota_bcast);
}

}  // namespace rota::bench
