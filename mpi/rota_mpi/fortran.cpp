// From Fortran's arguments to C's, and the error code back.
#include <dlfcn.h>

#include "rota_preload.h"

namespace {

/// Fortran's MPI_BOTTOM is a variable of Open MPI's; its address stands for C's MPI_BOTTOM.
void* c_address(void* fortran_address) {
  static const void* const bottom = dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_");
  return fortran_address == bottom ? MPI_BOTTOM : fortran_address;
}

}  // namespace

extern "C" void rota_fortran_bcast(void* buffer, const int* count, const int* datatype, const int* root,
                                   const int* comm, int* ierror) {
  const int code =
      rota_bcast(c_address(buffer), *count, PMPI_Type_f2c(*datatype), *root, PMPI_Comm_f2c(*comm));
  if (ierror != nullptr) *ierror = code;
}
