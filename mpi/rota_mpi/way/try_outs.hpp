// Try-outs (communicators/try_outs.hpp), made before one of the program's calls that block.
#pragma once

#include "rota_mpi/communicators/companion.hpp"

namespace rota::mpi {

/// Are some due on an intra-communicator? Local.
inline bool is_try_out_due(MPI_Comm comm) { return is_any_try_out_due() && is_any_due_on(comm); }

/// Makes those that are due there, each as long as one more call shows more. Returns MPI's code. Collective
/// over the communicator, of which all ranks have started the same calls. Throws MpiError, std::bad_alloc.
int make_try_outs(MPI_Comm comm);

}  // namespace rota::mpi
