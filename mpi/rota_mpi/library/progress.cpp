#include "rota_mpi/library/progress.hpp"

#include <atomic>

#ifndef ROTA_BUILT_INTO_PROGRAM
#include <dlfcn.h>

#include "rota_mpi/library/mpi_library.hpp"
#endif

namespace rota::mpi {

namespace {

using OpenMpiRegister = int (*)(int (*)());
using MpichStart = int (*)(int (*)(void*), void*, int stream);
using MpichIsComplete = int (*)(MPI_Request);

// As MPICH's mpi.h has them; others do not know the names.
constexpr int no_stream = 0x3c000000;
constexpr int no_progress = 0;
constexpr int done = 1;

struct Engine {
  OpenMpiRegister register_in_open_mpi = nullptr;
  MpichStart start_in_mpich = nullptr;
  MpichIsComplete is_complete_in_mpich = nullptr;
};

#ifdef ROTA_BUILT_INTO_PROGRAM

Engine found_engine() { return {}; }

#else

template <class Function>
Function found(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

Engine found_engine() {
  void* const library = opened_mpi_library().handle;
  if (library == nullptr) return {};
  return {found<OpenMpiRegister>(library, "opal_progress_register"),
          found<MpichStart>(library, "PMPIX_Async_start"),
          found<MpichIsComplete>(library, "PMPIX_Request_is_complete")};
}

#endif

const Engine& engine() {
  static const Engine the_engine = found_engine();
  return the_engine;
}

bool is_mpich_hooked() {
  return engine().start_in_mpich != nullptr && engine().is_complete_in_mpich != nullptr;
}

std::atomic<bool (*)()> hooked{nullptr};
std::atomic<bool> is_called{false};

int advance_for_open_mpi() {
  hooked.load()();
  return 0;
}

int advance_for_mpich(void*) {
  if (hooked.load()()) return no_progress;
  is_called = false;
  return done;
}

}  // namespace

bool has_progress_hook() {
  if (engine().register_in_open_mpi != nullptr) return true;
  int level = MPI_THREAD_SINGLE;
  check(pmpi.Query_thread(&level));
  return is_mpich_hooked() && level != MPI_THREAD_MULTIPLE;
}

void hook_progress(bool (*advance)()) {
  hooked = advance;
  if (is_called.exchange(true)) return;
  if (engine().register_in_open_mpi != nullptr) {
    engine().register_in_open_mpi(advance_for_open_mpi);
  } else if (engine().start_in_mpich != nullptr) {
    engine().start_in_mpich(advance_for_mpich, nullptr, no_stream);
  }
}

bool is_over(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  if (engine().is_complete_in_mpich != nullptr && engine().is_complete_in_mpich(request) == 0) return false;
  int is_over = 0;
  check_own(pmpi.Test(&request, &is_over, MPI_STATUS_IGNORE));
  return is_over != 0;
}

}  // namespace rota::mpi
