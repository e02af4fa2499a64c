// TimesByWay of several ways of a call, by their names; and results that must be right on all ranks before any is timed.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rota::bench {

using Seconds = std::vector<double>;  // of the slowest rank, call by call
using TimesByWay = std::vector<std::pair<std::string, Seconds>>;

/// Collective. Throws std::runtime_error on all ranks where one of them says no.
inline void require_on_all(bool right, const std::string& what) {
  const int mine = right ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (all == 0) throw std::runtime_error("wrong results of " + what);
}

}  // namespace rota::bench
