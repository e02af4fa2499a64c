// rota_x and rota_x_c of every collective in rota_calls.inc: what serves MPI_X, with MPI_X itself where Rota does not.
#include "rota.h"
#include "rota_mpi/calls/combining/combining.hpp"
#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/moving/moving.hpp"

#define ROTA_LISTED(...) __VA_ARGS__

#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                             \
  extern "C" int rota_##name parameters {                                               \
    return rota::mpi::serve_##name(ROTA_LISTED arguments, rota::mpi::named<#name>([=] { \
                                     return rota::mpi::pmpi.name_in_mpi arguments;      \
                                   }));                                                 \
  }
#define ROTA_COUNT int
#define ROTA_DISPLACEMENT int
#include "rota_calls.inc"
#undef ROTA_DISPLACEMENT
#undef ROTA_COUNT
#undef ROTA_CALL

#if MPI_VERSION >= 4
#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                             \
  extern "C" int rota_##name##_c parameters {                                           \
    return rota::mpi::serve_##name(ROTA_LISTED arguments, rota::mpi::named<#name>([=] { \
                                     return rota::mpi::pmpi.name_in_mpi##_c arguments;  \
                                   }));                                                 \
  }
#define ROTA_COUNT MPI_Count
#define ROTA_DISPLACEMENT MPI_Aint
#include "rota_calls.inc"
#endif
