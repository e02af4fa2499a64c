// The C symbols that take the place of the MPI library's: MPI_X is rota_x.
#include "engine.hpp"
#include "rota.h"

#define ROTA_INTERPOSE(mpi_name, rota_name, parameters, arguments)                            \
  extern "C" ROTA_API int mpi_name parameters {                                               \
    static auto* const function = rota::preload::in_librota<decltype(rota_name)>(#rota_name); \
    return function arguments;                                                                \
  }

ROTA_INTERPOSE(MPI_Init, rota_init, (int* argc, char*** argv), (argc, argv))
ROTA_INTERPOSE(MPI_Init_thread, rota_init_thread, (int* argc, char*** argv, int required, int* provided),
               (argc, argv, required, provided))
ROTA_INTERPOSE(MPI_Finalize, rota_finalize, (), ())
ROTA_INTERPOSE(MPI_Bcast, rota_bcast,
               (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
               (buffer, count, datatype, root, comm))
#if MPI_VERSION >= 4
ROTA_INTERPOSE(MPI_Bcast_c, rota_bcast_c,
               (void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
               (buffer, count, datatype, root, comm))
#endif
