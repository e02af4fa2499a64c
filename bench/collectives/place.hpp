#pragma once

#include <mpi.h>

namespace rota::bench {

/// Which rank of MPI_COMM_WORLD this is, and of how many.
struct Place {
  int rank = 0;
  int ranks = 1;
};

inline Place place_in_world() {
  Place place;
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.ranks);
  return place;
}

}  // namespace rota::bench
