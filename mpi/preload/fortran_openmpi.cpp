// The Fortran collectives that take the place of Open MPI's, whose wrappers call its PMPI symbols. MPICH's need nothing here.
#include "fortran.hpp"

#define ROTA_SAME_AS(symbol, other) extern "C" ROTA_API decltype(other) symbol __attribute__((alias(#other)));

#define ROTA_FORTRAN(name, NAME, parameters, ...)                                        \
  extern "C" ROTA_API void mpi_##name##_f08_ parameters {                                \
    static auto* const function =                                                        \
        rota::preload::in_librota<decltype(rota_fortran_##name)>("rota_fortran_" #name); \
    function(__VA_ARGS__, ierror);                                                       \
  }                                                                                      \
  ROTA_FORTRAN_MANGLINGS(ROTA_SAME_AS, name, NAME, mpi_##name##_f08_)
#include "rota_fortran.inc"
