// The Fortran symbols that take the place of Open MPI's, under every name that compilers give them: mpif.h
// and the module mpi share four manglings, mpi_f08 has its own.
#include "engine.hpp"
#include "rota_fortran.h"

#define ROTA_FORTRAN_NAME(symbol, rota_name, parameters, arguments)                           \
  extern "C" ROTA_API void symbol parameters {                                                \
    static auto* const function = rota::preload::in_librota<decltype(rota_name)>(#rota_name); \
    function arguments;                                                                       \
  }

#define ROTA_FORTRAN(lower, upper, parameters, arguments)                         \
  ROTA_FORTRAN_NAME(upper, rota_fortran_##lower, parameters, arguments)           \
  ROTA_FORTRAN_NAME(mpi_##lower, rota_fortran_##lower, parameters, arguments)     \
  ROTA_FORTRAN_NAME(mpi_##lower##_, rota_fortran_##lower, parameters, arguments)  \
  ROTA_FORTRAN_NAME(mpi_##lower##__, rota_fortran_##lower, parameters, arguments) \
  ROTA_FORTRAN_NAME(mpi_##lower##_f08_, rota_fortran_##lower, parameters, arguments)

ROTA_FORTRAN(init, MPI_INIT, (MPI_Fint * ierror), (ierror))
ROTA_FORTRAN(init_thread, MPI_INIT_THREAD, (const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* ierror),
             (required, provided, ierror))
ROTA_FORTRAN(finalize, MPI_FINALIZE, (MPI_Fint * ierror), (ierror))
ROTA_FORTRAN(bcast, MPI_BCAST,
             (void* buffer, const MPI_Fint* count, const MPI_Fint* datatype, const MPI_Fint* root,
              const MPI_Fint* comm, MPI_Fint* ierror),
             (buffer, count, datatype, root, comm, ierror))
