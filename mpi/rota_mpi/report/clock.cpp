#include "rota_mpi/report/clock.hpp"

#include <algorithm>

namespace rota::mpi {

namespace {

// The first of them wait until rank 0 has come to this rank.
constexpr int exchanges = 16;

void answer(Rank rank, const World& here, int tag) {
  for (int i = 0; i < exchanges; ++i) {
    check_own(pmpi.Recv(nullptr, 0, MPI_BYTE, rank, tag, here.comm, MPI_STATUS_IGNORE));
    const double now_s = pmpi.Wtime();
    check_own(pmpi.Send(&now_s, 1, MPI_DOUBLE, rank, tag, here.comm));
  }
}

Sighting asked(const World& here, int tag) {
  const double begin_s = pmpi.Wtime();
  check_own(pmpi.Send(nullptr, 0, MPI_BYTE, 0, tag, here.comm));
  double told_s = 0;
  check_own(pmpi.Recv(&told_s, 1, MPI_DOUBLE, 0, tag, here.comm, MPI_STATUS_IGNORE));
  const double end_s = pmpi.Wtime();
  const double middle_s = (begin_s + end_s) / 2;
  return {middle_s, told_s - middle_s, (end_s - begin_s) / 2};
}

}  // namespace

double Clock::of_rank_0(double own_s) const { return own_s + first.ahead_s + drift() * (own_s - first.at_s); }

double Clock::error_s() const { return std::max(first.error_s, last.error_s); }

double Clock::drift() const {
  const double between_s = last.at_s - first.at_s;
  return between_s > 0 ? (last.ahead_s - first.ahead_s) / between_s : 0;
}

Sighting sight_clock(const World& here, int tag) {
  if (here.rank == 0) {
    const Sighting of_itself{.at_s = pmpi.Wtime()};
    for (Rank rank = 1; rank < here.ranks; ++rank) answer(rank, here, tag);
    return of_itself;
  }
  Sighting best = asked(here, tag);
  for (int i = 1; i < exchanges; ++i) {
    const Sighting next = asked(here, tag);
    if (next.error_s < best.error_s) best = next;
  }
  return best;
}

}  // namespace rota::mpi
