#include "rota_mpi/library/fault_tolerance.hpp"

#include "rota_mpi/library/mpi.hpp"

#ifndef ROTA_BUILT_INTO_PROGRAM
#include <dlfcn.h>

#include "rota_mpi/library/mpi_library.hpp"
#endif

namespace rota::mpi {

namespace {

#if defined(OPEN_MPI) && !defined(ROTA_BUILT_INTO_PROGRAM)

/// Open MPI has no question for it, but shows the answer. MPICH's calls of that kind end the job.
bool is_switched_on() {
  void* const library = opened_mpi_library().handle;
  const void* const answer = library == nullptr ? nullptr : dlsym(library, "ompi_ftmpi_enabled");
  return answer != nullptr && *static_cast<const bool*>(answer);
}

#else

bool is_switched_on() { return false; }

#endif

}  // namespace

bool may_lose_processes() {
  static const bool answer = is_switched_on();
  return answer;
}

}  // namespace rota::mpi
