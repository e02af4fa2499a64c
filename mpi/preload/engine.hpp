// The way from an intercepted call to librota.
//
// The preload library is loaded into everything that runs under LD_PRELOAD, shells and launchers too, and
// into programs that load MPI late and privately (Python's mpi4py). So it needs nothing and no MPI itself. On
// the first intercepted call the program's MPI is there: it is found among the loaded libraries, whatever its
// name, made visible to all, and librota, which leaves its MPI symbols open, is loaded on top of it.
//
//   program --MPI_Bcast--> librota_preload --dlsym--> librota --PMPI_...--> the program's own MPI library
#pragma once

namespace rota::preload {

/// The address of this function of librota. If librota does not fit the program's MPI, the process ends with
/// status 2 and one line that says what to preload instead.
void* address_in_librota(const char* name);

template <class Function>
Function* in_librota(const char* name) {
  return reinterpret_cast<Function*>(address_in_librota(name));
}

/// The MPI library's own function of this name: the next definition after this library's. Ends the process if
/// there is none.
void* next_address(const char* name);

template <class Function>
Function* next_after_rota(const char* name) {
  return reinterpret_cast<Function*>(next_address(name));
}

}  // namespace rota::preload
