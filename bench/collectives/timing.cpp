#include "timing.hpp"

#include <mpi.h>

#include <ctime>
#include <stdexcept>

namespace rota::bench {

namespace {

bool on_all(bool mine) {
  const int own = mine ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

}  // namespace

double most(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

void require_right(bool right, const std::string& what) {
  if (!on_all(right)) throw std::runtime_error("wrong results of " + what);
}

Spent spent_by(const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const std::clock_t start = std::clock();
  const double start_s = MPI_Wtime();
  call();
  const double mine_s = MPI_Wtime() - start_s;
  const double mine_processor_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  Spent spent;
  spent.seconds = most(mine_s);
  const double mine_met_s = MPI_Wtime() - start_s;
  spent.met_seconds = most(mine_met_s);
  MPI_Allreduce(&mine_processor_s, &spent.processor_seconds, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return spent;
}

bool correct_after(const Contest& contest, const std::function<void()>& call) {
  contest.reset();
  call();
  return on_all(contest.correct());
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
