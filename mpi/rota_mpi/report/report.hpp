// The report: what was called, what served it, and what it took against the least that it could have taken.
#pragma once

namespace rota::mpi {

/// Gathers the notes of all ranks of MPI_COMM_WORLD and prints them on rank 0: a table on standard error, or
/// JSON in the file that ROTA_REPORT names. Collective over MPI_COMM_WORLD. Throws MpiError.
void print_report();

}  // namespace rota::mpi
