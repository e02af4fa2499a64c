#include "rota_mpi/library/mpi.hpp"

#ifndef ROTA_BUILT_INTO_PROGRAM
#include <dlfcn.h>

#include "rota_mpi/library/large_counts.hpp"
#include "rota_mpi/library/mpi_library.hpp"
#endif

namespace rota::mpi {

namespace {

#ifdef ROTA_BUILT_INTO_PROGRAM

/// There is nothing between this program and its MPI library.
MpiFunctions resolved() {
  return {
#define ROTA_MPI_FUNCTION(name) .name = &::PMPI_##name,
#include "rota_mpi/library/mpi_functions.inc"
#undef ROTA_MPI_FUNCTION
  };
}

#else

/// Without an MPI library in the process nobody calls any.
MpiFunctions resolved() {
  MpiFunctions functions;
  void* const library = opened_mpi_library().handle;
  if (library == nullptr) return functions;
#define ROTA_MPI_FUNCTION(name) \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(library, "PMPI_" #name));
#include "rota_mpi/library/mpi_functions.inc"
#undef ROTA_MPI_FUNCTION
  return with_large_counts(functions);
}

#endif

}  // namespace

const MpiFunctions pmpi = resolved();

}  // namespace rota::mpi
