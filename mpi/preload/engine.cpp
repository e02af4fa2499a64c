#include "engine.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "rota_mpi/library/mpi_library.hpp"

namespace rota::preload {

namespace {

// Which MPI this library was built for: "openmpi", "mpich" or "mpi5".
constexpr const char* built_for = ROTA_ABI;

[[noreturn]] void end_with(const std::string& message) {
  std::fprintf(stderr, "rota: %s\n", message.c_str());
  std::_Exit(2);
}

std::string abi_of(const mpi::MpiLibrary& library) {
  if (dlsym(library.handle, "ompi_mpi_comm_world") != nullptr) return "openmpi";
  return library.path.find("libmpi_abi") != std::string::npos ? "mpi5" : "mpich";
}

std::string folder_of_this_library() {
  const std::string file = mpi::library_at(reinterpret_cast<void*>(&address_in_librota));
  return file.substr(0, file.rfind('/') + 1);
}

void* load_librota() {
  const mpi::MpiLibrary library = mpi::opened_mpi_library();
  if (library.handle == nullptr)
    end_with("preloaded, but the program calls MPI without a shared MPI library; run it without rota");
  const std::string abi = abi_of(library);
  if (abi != built_for) {
    end_with("the library preloaded is for " + std::string(built_for) + ", but the program uses " +
             library.path + "; preload the path that `rota lib --mpi " + abi + "` prints");
  }
  dlopen(library.path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);  // its constants, for librota
  const std::string path = folder_of_this_library() + "librota_" + built_for + ".so";
  void* const librota = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (librota == nullptr) end_with(std::string(dlerror()) + "; install rota again");
  return librota;
}

}  // namespace

void* address_in_librota(const char* name) {
  static void* const librota = load_librota();
  void* const address = dlsym(librota, name);
  if (address == nullptr) end_with(std::string("librota has no ") + name + "; install rota again");
  return address;
}

void* address_in_tool(const char* mpi_name) {
  void* const next = dlsym(RTLD_NEXT, mpi_name);
  return next == nullptr || mpi::is_mpi_library(mpi::library_at(next)) ? nullptr : next;
}

}  // namespace rota::preload
