#include "rota_mpi/library/progress.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <system_error>

#include "rota_mpi/library/progress_thread.hpp"

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

bool has_mpich_hook() {
  return engine().start_in_mpich != nullptr && engine().is_complete_in_mpich != nullptr;
}

/// May several threads be in MPI at once?
bool is_for_threads() {
  int level = MPI_THREAD_SINGLE;
  check(pmpi.Query_thread(&level));
  return level == MPI_THREAD_MULTIPLE;
}

std::atomic<Advance> hooked_advance{nullptr};
std::atomic<Pause> hooked_pause{nullptr};
std::atomic<bool> is_called{false};

/// Between the beginning of MPI and its end, where the user asks for one.
std::unique_ptr<ProgressThread>& progress_thread() {
  static auto* const the_thread = new std::unique_ptr<ProgressThread>;
  return *the_thread;
}

/// When the program was in MPI last, and how long it was not, in nanoseconds. By whichever of its threads.
/// Nobody looks at the clock before somebody has asked.
std::atomic<std::int64_t> was_here_ns{0};
std::atomic<std::int64_t> elsewhere_ns{0};

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void is_here() {
  constexpr std::int64_t shortest_absence_ns = 50'000;
  const std::int64_t now = now_ns();
  const std::int64_t absent = now - was_here_ns.exchange(now, std::memory_order_relaxed);
  if (absent >= shortest_absence_ns) elsewhere_ns.fetch_add(absent, std::memory_order_relaxed);
}

/// What passes while others are let run is no absence.
Left advance_from_engine() {
  thread_local int depth = 0;
  ++depth;
  const Left left = hooked_advance.load()();
  --depth;
  if (left == Left::nothing) return left;
  const bool is_asked = was_here_ns.load(std::memory_order_relaxed) != 0;
  if (is_asked) is_here();
  if (left == Left::moving || depth > 0) return left;
  hooked_pause.load()();
  if (is_asked) was_here_ns.store(now_ns(), std::memory_order_relaxed);
  return left;
}

int advance_for_open_mpi() {
  advance_from_engine();
  return 0;
}

int advance_for_mpich(void*) {
  if (advance_from_engine() != Left::nothing) return no_progress;
  is_called = false;
  return done;
}

}  // namespace

bool has_progress_hook() {
  return engine().register_in_open_mpi != nullptr || (has_mpich_hook() && !is_for_threads());
}

bool begin_progress_thread(Advance advance) {
  if (!is_for_threads()) return false;
  try {
    progress_thread() = std::make_unique<ProgressThread>(advance);
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void end_progress_thread() { progress_thread() = nullptr; }

void hook_progress(Advance advance, Pause pause) {
  if (progress_thread() != nullptr) progress_thread()->wake();
  hooked_advance = advance;
  hooked_pause = pause;
  if (is_called.exchange(true)) return;
  if (engine().register_in_open_mpi != nullptr) {
    engine().register_in_open_mpi(advance_for_open_mpi);
  } else if (progress_thread() == nullptr && engine().start_in_mpich != nullptr) {
    engine().start_in_mpich(advance_for_mpich, nullptr, no_stream);
  }
}

bool is_called_before_networks() {
  return engine().start_in_mpich != nullptr && progress_thread() == nullptr;
}

std::optional<double> seconds_elsewhere() {
  if (progress_thread() != nullptr && engine().register_in_open_mpi == nullptr) return {};
  is_here();
  return static_cast<double>(elsewhere_ns.load(std::memory_order_relaxed)) * 1e-9;
}

bool is_over(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  const bool is_from_engine = engine().is_complete_in_mpich != nullptr && progress_thread() == nullptr;
  if (is_from_engine && engine().is_complete_in_mpich(request) == 0) return false;
  return is_over_after_progress(request);
}

bool is_over_after_progress(MPI_Request& request) {
  int is_over = 0;
  check_own(pmpi.Test(&request, &is_over, MPI_STATUS_IGNORE));
  return is_over != 0;
}

}  // namespace rota::mpi
