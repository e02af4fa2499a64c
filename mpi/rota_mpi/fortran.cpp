// From Fortran's arguments to C's, and the error code back.
#include "rota_fortran.h"

#include <dlfcn.h>

namespace {

/// Fortran's MPI_BOTTOM is a variable of Open MPI's; its address stands for C's MPI_BOTTOM.
void* c_address(void* fortran_address) {
  static const void* const bottom = dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_");
  return fortran_address == bottom ? MPI_BOTTOM : fortran_address;
}

void give(int code, MPI_Fint* ierror) {
  if (ierror != nullptr) *ierror = code;
}

}  // namespace

extern "C" {

void rota_fortran_init(MPI_Fint* ierror) { give(rota_init(nullptr, nullptr), ierror); }

void rota_fortran_init_thread(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* ierror) {
  int c_provided = 0;
  give(rota_init_thread(nullptr, nullptr, *required, &c_provided), ierror);
  *provided = c_provided;
}

void rota_fortran_finalize(MPI_Fint* ierror) { give(rota_finalize(), ierror); }

void rota_fortran_bcast(void* buffer, const MPI_Fint* count, const MPI_Fint* datatype, const MPI_Fint* root,
                        const MPI_Fint* comm, MPI_Fint* ierror) {
  give(rota_bcast(c_address(buffer), *count, PMPI_Type_f2c(*datatype), *root, PMPI_Comm_f2c(*comm)), ierror);
}

}  // extern "C"
