#include "rota_mpi/way/try_outs.hpp"

#include "rota_mpi/play/nobodys_memory.hpp"
#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

// A native call, and a pair; or two pairs.
constexpr std::int64_t most_calls = 4;

/// Nothing competes in such calls: nullptr.
Cell* cell_of(const StartedCalls& started, Companion& among) {
  return competes(started.latest, settings()) ? among.cells.find(started.latest) : nullptr;
}

/// Has the program's own calls that block shown it?
bool is_shown_otherwise(const StartedCalls& started, const Cell* cell) {
  return started.calls_before == 0 && cell != nullptr && cell->is_known();
}

/// Does one more call show more, after so many?
bool shows_more(const Cell* cell, std::int64_t made) {
  if (cell == nullptr) return made == 0;
  if (cell->is_in_pair()) return made < most_calls;
  if (cell->is_decided() || (made > 0 && cell->incumbent() == Arm::schedule)) return false;
  return cell->is_trial() ? made + 2 <= most_calls : made == 0 && !cell->is_known();
}

struct Made {
  int code = MPI_SUCCESS;
  std::int64_t calls = 0;
};

Made made_like(const StartedCalls& started, Companion& among, MPI_Comm comm, std::byte* memory) {
  Made made;
  while (made.code == MPI_SUCCESS && shows_more(cell_of(started, among), made.calls)) {
    made.code = started.like_it.make(comm, memory);
    ++made.calls;
  }
  return made;
}

int make(StartedCalls& started, Companion& among, MPI_Comm comm) {
  Cell* const cell = cell_of(started, among);
  if (is_shown_otherwise(started, cell) || (cell != nullptr && cell->is_decided())) return MPI_SUCCESS;
  const std::unique_ptr<std::byte[]> memory = nobodys_memory(started.like_it.memory_bytes, among);
  if (memory == nullptr) return MPI_SUCCESS;
  if (cell != nullptr) cell->others_took_place(started.calls - started.calls_before);
  const Made made = made_like(started, among, comm, memory.get());
  TryOuts::made(started, made.calls);
  return made.code;
}

}  // namespace

int make_try_outs(MPI_Comm comm) {
  if (!is_try_out_due(comm)) return MPI_SUCCESS;
  Companion& among = companion_of(comm);
  while (StartedCalls* const due = among.try_outs.take_due()) {
    const int code = make(*due, among, comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace rota::mpi
