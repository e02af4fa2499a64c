// MPI_Init and MPI_Finalize of Fortran programs: the MPI library's own, with Rota's part after the one and before the other.
// Open MPI's wrappers call PMPI_Init under every name, MPICH's only those of mpi_f08; its others call MPI_Init.
#include "fortran.hpp"

namespace {

void started() { rota::preload::in_librota<decltype(rota_started)>("rota_started")(); }
void finishing() { rota::preload::in_librota<decltype(rota_finishing)>("rota_finishing")(); }

}  // namespace

#define ROTA_INIT(symbol)                                        \
  extern "C" ROTA_API void symbol(int* ierror) {                 \
    rota::preload::next_after_rota<void(int*)>(#symbol)(ierror); \
    started();                                                   \
  }
#define ROTA_INIT_THREAD(symbol)                                                                 \
  extern "C" ROTA_API void symbol(int* required, int* provided, int* ierror) {                   \
    rota::preload::next_after_rota<void(int*, int*, int*)>(#symbol)(required, provided, ierror); \
    started();                                                                                   \
  }
#define ROTA_FINALIZE(symbol)                                    \
  extern "C" ROTA_API void symbol(int* ierror) {                 \
    finishing();                                                 \
    rota::preload::next_after_rota<void(int*)>(#symbol)(ierror); \
  }

ROTA_INIT(mpi_init_f08_)
ROTA_INIT_THREAD(mpi_init_thread_f08_)
ROTA_FINALIZE(mpi_finalize_f08_)
#ifdef OPEN_MPI
ROTA_FORTRAN_MANGLINGS(ROTA_INIT, init, INIT)
ROTA_FORTRAN_MANGLINGS(ROTA_INIT_THREAD, init_thread, INIT_THREAD)
ROTA_FORTRAN_MANGLINGS(ROTA_FINALIZE, finalize, FINALIZE)
#endif
