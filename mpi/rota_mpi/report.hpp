// What was called, what served it, and what it took: collected on every rank, printed by rank 0 at the end.
#pragma once

#include "rota_mpi/choose.hpp"

namespace rota::mpi {

/// Takes note of one call on this rank, if a report is asked for. `blocks` and `rounds` are 0 for a native
/// one.
struct Served {
  Call call;
  Choice choice;
  std::int64_t blocks = 0;
  std::int64_t rounds = 0;
  double seconds = 0;
};
void take_note(const Served& served);

/// Gathers the notes of all ranks of MPI_COMM_WORLD and prints them on rank 0. Collective over
/// MPI_COMM_WORLD.
void print_report();

}  // namespace rota::mpi
