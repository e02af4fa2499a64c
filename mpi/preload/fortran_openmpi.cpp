// The Fortran collectives that take the place of Open MPI's, whose wrappers call its PMPI symbols. MPICH's need nothing here.
#include "fortran.hpp"

#define ROTA_BCAST(symbol)                                                                              \
  extern "C" ROTA_API void symbol(void* buffer, const int* count, const int* datatype, const int* root, \
                                  const int* comm, int* ierror) {                                       \
    static auto* const function =                                                                       \
        rota::preload::in_librota<decltype(rota_fortran_bcast)>("rota_fortran_bcast");                  \
    function(buffer, count, datatype, root, comm, ierror);                                              \
  }

ROTA_BCAST(mpi_bcast_f08_)
ROTA_FORTRAN_MANGLINGS(ROTA_BCAST, bcast, BCAST)
