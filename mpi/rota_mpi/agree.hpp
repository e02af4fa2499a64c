// How all ranks of an irregular all-to-many call come to the same plan.
#pragma once

#include "rota_mpi/companion.hpp"
#include "rota_mpi/watch.hpp"

namespace rota::mpi {

/// What all ranks know of a call after one reduction.
struct Look {
  std::int64_t port_bytes = 0;       // the most that one rank sends, or receives
  const Plan* remembered = nullptr;  // the plan for its pattern, if all ranks remember the same one
};

/// Collective over `comm`, with a single reduction of a few numbers. Throws MpiError.
Look look_at(const Sight& sight, const Watch& watch, MPI_Comm comm);

/// The whole pattern, on all ranks; nothing if some rank expects to receive other bytes than are sent to it,
/// or if there are more messages than MPI can count. Collective over the companion: one allgather each of row
/// lengths and of rows, never n x n, and one reduction. Throws MpiError, std::bad_alloc.
std::shared_ptr<const Pattern> gathered_pattern(const Sight& sight, const Companion& companion);

}  // namespace rota::mpi
