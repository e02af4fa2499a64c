#include "timing.hpp"

#include <mpi.h>

namespace rota::bench {

double seconds_of(const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start_s = MPI_Wtime();
  call();
  const double mine_s = MPI_Wtime() - start_s;
  double slowest_s = 0;
  MPI_Allreduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest_s;
}

bool correct_after(const Contest& contest, const std::function<void()>& call) {
  contest.reset();
  call();
  const int good = contest.correct() ? 1 : 0;
  int all_good = 0;
  MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all_good != 0;
}

Times timed_pairs(const Contest& contest, int pairs) {
  Times times;
  for (int pair = 0; pair < pairs; ++pair) {
    if (pair % 2 == 0) times.native_s.push_back(seconds_of(contest.native));
    times.rota_s.push_back(seconds_of(contest.rota));
    if (pair % 2 == 1) times.native_s.push_back(seconds_of(contest.native));
  }
  return times;
}

bool both_correct(const Contest& contest) {
  return correct_after(contest, contest.rota) && correct_after(contest, contest.native);
}

}  // namespace rota::bench
