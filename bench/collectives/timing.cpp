#include "timing.hpp"

#include <mpi.h>

#include <ctime>

namespace rota::bench {

Spent spent_by(const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const std::clock_t start = std::clock();
  const double start_s = MPI_Wtime();
  call();
  const double mine_s = MPI_Wtime() - start_s;
  const double mine_processor_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  Spent spent;
  MPI_Allreduce(&mine_s, &spent.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&mine_processor_s, &spent.processor_seconds, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return spent;
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
    if (pair % 2 == 0) times.native.push_back(spent_by(contest.native));
    times.rota.push_back(spent_by(contest.rota));
    if (pair % 2 == 1) times.native.push_back(spent_by(contest.native));
  }
  return times;
}

bool both_correct(const Contest& contest) {
  return correct_after(contest, contest.rota) && correct_after(contest, contest.native);
}

}  // namespace rota::bench
