#include "rota_mpi/communicators/attached.hpp"

#include <array>

namespace rota::mpi {

namespace {

/// How often MPI was started and not ended, and how many runs there were. Of plain numbers, which outlive all
/// destructors.
std::atomic<int> starts{0};
std::atomic<std::int64_t> runs{0};
std::atomic<int> sessions{0};  // not ended

thread_local const Freeing* innermost = nullptr;
thread_local std::array<LatestAttached, attached_kinds> latest{};

}  // namespace

void mpi_started() { ++starts; }

void session_started() {
  ++sessions;
  mpi_started();
}

void session_ended() {
  --sessions;
  mpi_ended();
}

LatestAttached& latest_attached(AttachedKind kind) { return latest[static_cast<std::size_t>(kind)]; }

bool is_in_session() { return sessions.load(std::memory_order_relaxed) > 0; }

void mpi_ended() {
  const int before = starts.load();
  if (before == 0) return;  // of a start that Rota has not seen
  --starts;
  if (before == 1) ++runs;
}

std::int64_t run_of_mpi() { return runs.load(std::memory_order_relaxed); }

Freeing::Freeing(MPI_Comm comm) : comm_(comm), outer_(innermost) { innermost = this; }

Freeing::~Freeing() { innermost = outer_; }

bool is_being_freed(MPI_Comm comm) {
  for (const Freeing* each = innermost; each != nullptr; each = each->outer_) {
    if (each->comm_ == comm) return true;
  }
  return false;
}

}  // namespace rota::mpi
