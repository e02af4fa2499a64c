// The trace of a run: what all ranks have kept, on the time line of rank 0's clock, in a file.
//
//     MPI_Init       rank 0 tries the file; all look at its clock (clock.hpp)
//     ...            each rank keeps what happens (records.hpp)
//     MPI_Finalize   all look at the clock again; rank 0 takes one rank's records after the other, and writes them (trace_json.hpp)
//
// Of a job that is ended before, rank 0's own.
#pragma once

#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/report/lines.hpp"

namespace rota::mpi {

/// Begins to keep what happens, if the settings want a trace. Where rank 0 cannot write the file, it says so,
/// and nobody keeps anything. Collective over the world. Throws MpiError, std::bad_alloc.
void begin_trace(World& here);

/// Was one begun, and not ended? Alike on all ranks.
bool is_tracing();

/// Writes the trace, if one was begun, and keeps no more. Collective over the world. Throws MpiError,
/// std::bad_alloc.
void end_trace(const World& here);

/// Writes what rank 0 has by now, if a trace was begun; of a job that comes to this end. May be called by any
/// thread of rank 0, and calls no MPI. Throws std::bad_alloc.
void write_own_trace(Ending ending);

}  // namespace rota::mpi
