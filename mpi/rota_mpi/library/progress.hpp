// By whom what was started is carried on: the MPI library's progress engine, which can be asked to call Rota whenever the program is
// in an MPI call that waits or tests; or a thread of Rota's (progress_thread.hpp).
//
//     MPI_Wait, MPI_Test, MPI_Recv, ...  -->  the library's engine  -->  its networks
//                                                                   -->  Rota's function
//
//   Open MPI   opal_progress_register: by any thread, and again while the function itself is in MPI
//   MPICH      MPIX_Async_start, from 4.2 on: called before the networks are asked; the function must not have the engine called, so
//              messages are asked for by MPIX_Request_is_complete; and a lock is held meanwhile, so not under MPI_THREAD_MULTIPLE
//
// Both are looked for at run time. An MPI library that has neither, as MPICH's for the MPI-5 ABI, has no hook. With a thread of Rota's
// Open MPI's engine calls Rota as well, for whoever waits is sooner than who rests; MPICH's does not.
#pragma once

#include <cstdint>
#include <optional>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// Is there a hook, for as many threads as the program has asked MPI for? After MPI_Init. Throws MpiError.
bool has_progress_hook();

/// What is left of all that was started: nothing; something of which no more could be done; or something of
/// which some was done just now.
enum class Left : std::uint8_t { nothing, waiting, moving };

/// Does what can be done now. It throws nothing.
using Advance = Left (*)();

/// Called where no more could be done, on a thread that may be waiting. It throws nothing.
using Pause = void (*)();

/// Until its end a thread carries on what is left. Does it? It needs MPI for several threads, and the system
/// may have none to give. Throws MpiError.
bool begin_progress_thread(Advance advance);
void end_progress_thread();

/// From now on these are called, always the same ones, until nothing is left. An engine may call again what
/// is in MPI in the first: the second follows the outermost call only.
void hook_progress(Advance advance, Pause pause);

/// Is it called before the engine asks its networks, so that it sees at the next call only what has come?
bool is_called_before_networks();

/// How long the program has been in no call of MPI's so far, as its engine's calls of Rota tell: of absences
/// too short to compute anything in nothing is counted, nor while nothing was left, so only differences mean
/// something. Nothing: nobody can tell, for only a thread calls.
std::optional<double> seconds_elsewhere();

/// Is a request of Rota's own over? Then it is MPI_REQUEST_NULL. It may be asked for in the function that is
/// hooked. Throws MpiError.
bool is_over(MPI_Request& request);

/// After so many looks in vain an engine has asked for everything: Open MPI's asks its sockets at every
/// eighth.
inline constexpr int looks_at_everything = 8;

/// The same, now or after what the engine does for it meanwhile; by whoever waits, and never in the function
/// that is hooked. Throws MpiError.
bool is_over_after_progress(MPI_Request& request);

}  // namespace rota::mpi
