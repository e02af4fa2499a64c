// MPI_Reduce to rank 0, MPI_Allreduce, MPI_Scan and MPI_Exscan: sums of doubles.
#include <algorithm>

#include "contest.hpp"
#include "rota.h"
#include "sums.hpp"

namespace rota::bench {

namespace {

using Function = int(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
using RootedFunction = int(const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm);

struct Reduction {
  double weight;  // of the result on this rank; 0: it gets none
  std::vector<double> mine;
  std::vector<double> result;

  Reduction(const Problem& problem, int contributors)
      : weight(weight_below(contributors)),
        mine(numbers(static_cast<std::size_t>(items_of(problem.bytes, sizeof(double))),
                     weight_of_rank(problem.rank))),
        result(mine.size()) {}

  int count() const { return static_cast<int>(mine.size()); }
  Load load() const { return {static_cast<std::int64_t>(mine.size() * sizeof(double)), {}}; }
  void call(Function* function) {
    function(mine.data(), result.data(), count(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  void call(RootedFunction* function) {
    function(mine.data(), result.data(), count(), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  void reset() { std::ranges::fill(result, 0); }
  bool correct() const { return weight == 0 || holds(result, 0, weight); }
};

}  // namespace

Contest reduce(const Problem& problem) {
  return contest_on(Reduction(problem, problem.rank == 0 ? problem.ranks : 0), MPI_Reduce, rota_reduce);
}

Contest allreduce(const Problem& problem) {
  return contest_on(Reduction(problem, problem.ranks), MPI_Allreduce, rota_allreduce);
}

Contest scan(const Problem& problem) {
  return contest_on(Reduction(problem, problem.rank + 1), MPI_Scan, rota_scan);
}

Contest exscan(const Problem& problem) {
  return contest_on(Reduction(problem, problem.rank), MPI_Exscan, rota_exscan);
}

}  // namespace rota::bench
