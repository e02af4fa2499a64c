// The report: what was called, what served it, and what it took against the least that it could have taken.
#pragma once

#include <vector>

#include "rota_mpi/report/notes.hpp"

namespace rota::mpi {

/// Gathers the notes of all ranks of MPI_COMM_WORLD and prints them on rank 0, with those of cells, which are
/// gathered there: a table on standard error, or JSON in the file that ROTA_REPORT names. Collective over
/// MPI_COMM_WORLD. Throws MpiError.
void print_report(const std::vector<CellNote>& cells);

}  // namespace rota::mpi
