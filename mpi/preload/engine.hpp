// The way from an intercepted call to librota.
//
// The preload library is loaded into everything that runs under LD_PRELOAD, shells and launchers too, and into programs that
// load MPI late and privately (Python's mpi4py). So it needs nothing and no MPI itself. On the first intercepted call the
// program's MPI is there: it is found among the loaded libraries, whatever its name, made visible to all, and librota is loaded.
//
// Rota stands between MPI's two names for each function, so that profiling tools see every call of the program's, wherever
// they are linked or preloaded, and none of Rota's:
//
//   program --MPI_Bcast--> [tool] --PMPI_Bcast--> librota_preload --> librota --table--> the MPI library's own PMPI_...
//                 \                                   /
//                  librota_preload's MPI_Bcast, if it comes first: on to a tool behind it, if there is one
//
// Open MPI's Fortran wrappers call PMPI_Bcast, MPICH's MPI_Bcast: both are served without symbols of Fortran's own.
#pragma once

namespace rota::preload {

/// The address of this function of librota. If librota does not fit the program's MPI, the process ends with
/// status 2 and one line that says what to preload instead.
void* address_in_librota(const char* name);

template <class Function>
Function* in_librota(const char* name) {
  return reinterpret_cast<Function*>(address_in_librota(name));
}

/// The next function of this name behind this library if it is a tool's; nullptr if it is the MPI library's
/// own.
void* address_in_tool(const char* mpi_name);

template <class Function>
Function* in_tool(const char* mpi_name) {
  return reinterpret_cast<Function*>(address_in_tool(mpi_name));
}

/// What MPI_X does: a tool's function behind Rota, which calls PMPI_X in its turn, or else librota's.
template <class Function>
Function* in_tool_or_librota(const char* mpi_name, const char* name) {
  auto* const tools = in_tool<Function>(mpi_name);
  return tools != nullptr ? tools : in_librota<Function>(name);
}

}  // namespace rota::preload
