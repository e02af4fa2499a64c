// What is noted of a call that no schedule serves.
#pragma once

#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// By the MPI library, for the reason in the decision. Who takes notes hears of its ranks' hosts too, by
/// which its bound goes, as far as this rank knows them. Local. Throws MpiError, std::bad_alloc.
Served unserved(const Decision& decision, MPI_Comm comm);

}  // namespace rota::mpi
