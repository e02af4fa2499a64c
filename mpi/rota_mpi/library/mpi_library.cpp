#include "rota_mpi/library/mpi_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <vector>

namespace rota::mpi {

namespace {

// By this symbol Rota's preload library is told from MPI libraries (preload/c.cpp).
constexpr const char* mark_of_preload = "rota_preload_mark";

/// What `name` is in this library or in those that it needs; with the file that it is in.
struct Symbol {
  void* address = nullptr;
  std::string file;
};

Symbol symbol_in(void* handle, const char* name) {
  void* const address = dlsym(handle, name);
  if (address == nullptr) return {};
  return {address, library_at(address)};
}

bool is_preload_library(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const bool has_mark = symbol_in(handle, mark_of_preload).file == path;
  dlclose(handle);
  return has_mark;
}

/// Where this object finds PMPI_Init, if that is no function of Rota's.
std::string mpi_library_seen_by(const char* object) {
  void* const handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return "";
  const std::string file = symbol_in(handle, "PMPI_Init").file;
  dlclose(handle);
  return file.empty() || is_preload_library(file) ? "" : file;
}

/// All that is loaded. To open any of it while the list is walked could wait for another thread's dlopen for
/// ever.
std::vector<std::string> loaded_objects() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        static_cast<std::vector<std::string>*>(result)->emplace_back(object->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

std::string path_of_mpi_library() {
  for (const std::string& name : loaded_objects()) {
    std::string path = mpi_library_seen_by(name.c_str());
    if (!path.empty()) return path;
  }
  return "";
}

}  // namespace

std::string library_at(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

bool is_mpi_library(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const bool defines = symbol_in(handle, "PMPI_Init").file == path;
  dlclose(handle);
  return defines;
}

MpiLibrary opened_mpi_library() {
  const std::string path = path_of_mpi_library();
  if (path.empty()) return {};
  return {dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD), path};
}

}  // namespace rota::mpi
