// Which of the libraries in this process is the MPI library. For librota and for the preload library, which both need nothing of
// MPI's when they are linked.
#pragma once

#include <string>

namespace rota::mpi {

struct MpiLibrary {
  void* handle = nullptr;  // for dlsym; nullptr: there is none
  std::string path;
};

/// The loaded library that defines PMPI_Init, also one that was loaded privately. Rota's own preload library,
/// which defines it too, does not count.
MpiLibrary opened_mpi_library();

/// The file of the library that has something at this address; empty if there is none.
std::string library_at(const void* address);

/// Does the library of this file define PMPI_Init itself? One that only calls MPI, as a tool does, does not.
bool is_mpi_library(const std::string& path);

}  // namespace rota::mpi
