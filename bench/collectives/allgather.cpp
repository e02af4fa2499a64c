// MPI_Allgather and MPI_Allgatherv of bytes.
#include "bytes.hpp"
#include "contest.hpp"
#include "rota.h"

namespace rota::bench {

namespace {

using Function = int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
using VectorFunction = int(const void*, int, MPI_Datatype, void*, const int[], const int[], MPI_Datatype,
                           MPI_Comm);

struct Gathering {
  Shares shares;
  std::vector<unsigned char> mine;
  std::vector<unsigned char> all;

  Gathering(const Problem& problem, Shares cut)
      : shares(std::move(cut)),
        mine(static_cast<std::size_t>(shares.counts[static_cast<std::size_t>(problem.rank)])),
        all(static_cast<std::size_t>(shares.total())) {
    fill(mine, static_cast<std::size_t>(shares.offsets[static_cast<std::size_t>(problem.rank)]));
  }

  Load load() const {
    return {static_cast<std::int64_t>(all.size()), {shares.counts.begin(), shares.counts.end()}};
  }
  void call(Function* allgather) {
    const int count = static_cast<int>(mine.size());
    allgather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, MPI_COMM_WORLD);
  }
  void call(VectorFunction* allgatherv) {
    allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), shares.counts.data(),
               shares.offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
  void reset() { spoil(all, 0); }
  bool correct() const { return holds(all, 0); }
};

}  // namespace

Contest allgather(const Problem& problem) {
  return contest_on(Gathering(problem, equal_shares(problem.bytes, problem.ranks)), MPI_Allgather,
                    rota_allgather);
}

Contest allgatherv(const Problem& problem) {
  return contest_on(Gathering(problem, shares(problem.bytes, problem.shape, problem.ranks)), MPI_Allgatherv,
                    rota_allgatherv);
}

}  // namespace rota::bench
