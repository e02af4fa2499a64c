#include "engine.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace rota::preload {

namespace {

// Which MPI this library was built for: "openmpi", "mpich" or "mpi5".
constexpr const char* built_for = ROTA_ABI;

[[noreturn]] void end_with(const std::string& message) {
  std::fprintf(stderr, "rota: %s\n", message.c_str());
  std::_Exit(2);
}

std::string file_of(void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

/// The loaded library that defines PMPI_Init, also one that was loaded privately; empty if there is none.
std::string mpi_library() {
  std::string found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        void* const handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) return 0;
        void* const init = dlsym(handle, "PMPI_Init");
        if (init != nullptr) *static_cast<std::string*>(result) = file_of(init);
        dlclose(handle);
        return init == nullptr ? 0 : 1;
      },
      &found);
  return found;
}

std::string abi_of(const std::string& library, void* handle) {
  if (dlsym(handle, "ompi_mpi_comm_world") != nullptr) return "openmpi";
  return library.find("libmpi_abi") != std::string::npos ? "mpi5" : "mpich";
}

std::string folder_of_this_library() {
  const std::string file = file_of(reinterpret_cast<void*>(&address_in_librota));
  return file.substr(0, file.rfind('/') + 1);
}

void* load_librota() {
  const std::string library = mpi_library();
  if (library.empty())
    end_with("preloaded, but the program calls MPI without a shared MPI library; run it without rota");
  void* const mpi = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  const std::string abi = abi_of(library, mpi);
  if (abi != built_for) {
    end_with("the library preloaded is for " + std::string(built_for) + ", but the program uses " + library +
             "; preload the path that `rota lib --mpi " + abi + "` prints");
  }
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

void* next_address(const char* name) {
  void* const address = dlsym(RTLD_NEXT, name);
  if (address == nullptr)
    end_with(std::string("the program's MPI library has no ") + name + "; run it without rota");
  return address;
}

}  // namespace rota::preload
