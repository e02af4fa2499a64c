// The C symbols that take the place of the MPI library's: PMPI_X is rota_x, and MPI_X too where no tool comes between.
//
// A program may ask at run time whether there is MPI_Bcast_init, as mpi4py does, and call it if so: it must not find Rota's where its
// MPI library has none. So this is compiled with all of these symbols, and without those that libraries of MPI 3 lack (ROTA_SHOWS_...,
// CMakeLists.txt says which there are). Which goes with a library, rota.preload finds out.
#include "engine.hpp"
#include "rota.h"
#include "rota_preload.h"

/// By this symbol the preload library is told from MPI libraries, which define PMPI_Init too
/// (rota_mpi/library/mpi_library.cpp).
extern "C" ROTA_API const char rota_preload_mark = 0;

#define ROTA_INTERPOSE(mpi_name, rota_name, parameters, arguments)                            \
  extern "C" ROTA_API int P##mpi_name parameters {                                            \
    static auto* const function = rota::preload::in_librota<decltype(rota_name)>(#rota_name); \
    return function arguments;                                                                \
  }                                                                                           \
  extern "C" ROTA_API int mpi_name parameters {                                               \
    static auto* const function =                                                             \
        rota::preload::in_tool_or_librota<decltype(rota_name)>(#mpi_name, #rota_name);        \
    return function arguments;                                                                \
  }

namespace {

using Abort = decltype(rota_abort);

Abort* abort_in_librota() {
  static auto* const function = rota::preload::in_librota<Abort>("rota_abort");
  return function;
}

Abort* abort_in_tool_or_librota() {
  static auto* const function = rota::preload::in_tool_or_librota<Abort>("MPI_Abort", "rota_abort");
  return function;
}

/// MPI has been started, with this code. Programs call MPI_Abort in signal handlers, where nothing may be
/// looked up any more: that is done now.
int started(int code) {
  if (code != MPI_SUCCESS) return code;
  abort_in_librota();
  abort_in_tool_or_librota();
  return code;
}

}  // namespace

/// A tool behind Rota may go past it: Darshan calls not PMPI_Init but what comes behind itself. So what Rota
/// does when MPI starts and ends is done here too; a second time does nothing.
#define ROTA_INTERPOSE_START(mpi_name, rota_name, parameters, arguments)                          \
  extern "C" ROTA_API int P##mpi_name parameters {                                                \
    return started(rota::preload::in_librota<decltype(rota_name)>(#rota_name) arguments);         \
  }                                                                                               \
  extern "C" ROTA_API int mpi_name parameters {                                                   \
    auto* const tools = rota::preload::in_tool<decltype(rota_name)>(#mpi_name);                   \
    if (tools == nullptr) return P##mpi_name arguments;                                           \
    const int code = tools arguments;                                                             \
    if (code == MPI_SUCCESS) rota::preload::in_librota<decltype(rota_started)>("rota_started")(); \
    return started(code);                                                                         \
  }

ROTA_INTERPOSE_START(MPI_Init, rota_init, (int* argc, char*** argv), (argc, argv))
ROTA_INTERPOSE_START(MPI_Init_thread, rota_init_thread,
                     (int* argc, char*** argv, int required, int* provided), (argc, argv, required, provided))

extern "C" ROTA_API int PMPI_Finalize() {
  return rota::preload::in_librota<decltype(rota_finalize)>("rota_finalize")();
}
extern "C" ROTA_API int MPI_Finalize() {
  auto* const tools = rota::preload::in_tool<decltype(rota_finalize)>("MPI_Finalize");
  if (tools == nullptr) return PMPI_Finalize();
  rota::preload::in_librota<decltype(rota_finishing)>("rota_finishing")();
  return tools();
}

extern "C" ROTA_API int PMPI_Abort(MPI_Comm comm, int code) { return abort_in_librota()(comm, code); }
extern "C" ROTA_API int MPI_Abort(MPI_Comm comm, int code) { return abort_in_tool_or_librota()(comm, code); }

ROTA_INTERPOSE(MPI_Comm_free, rota_comm_free, (MPI_Comm * comm), (comm))
ROTA_INTERPOSE(MPI_Comm_disconnect, rota_comm_disconnect, (MPI_Comm * comm), (comm))
#if ROTA_SHOWS_SESSIONS && (MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5))
ROTA_INTERPOSE(MPI_Session_init, rota_session_init,
               (MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session), (info, errhandler, session))
ROTA_INTERPOSE(MPI_Session_finalize, rota_session_finalize, (MPI_Session * session), (session))
#endif

ROTA_INTERPOSE(MPI_Barrier, rota_barrier, (MPI_Comm comm), (comm))
ROTA_INTERPOSE(MPI_Start, rota_start, (MPI_Request * request), (request))
ROTA_INTERPOSE(MPI_Startall, rota_startall, (int count, MPI_Request requests[]), (count, requests))
ROTA_INTERPOSE(MPI_Request_free, rota_request_free, (MPI_Request * request), (request))

ROTA_INTERPOSE(MPI_Test, rota_test, (MPI_Request * request, int* flag, MPI_Status* status),
               (request, flag, status))
ROTA_INTERPOSE(MPI_Testall, rota_testall,
               (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
               (count, requests, flag, statuses))
ROTA_INTERPOSE(MPI_Testany, rota_testany,
               (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
               (count, requests, index, flag, status))
ROTA_INTERPOSE(MPI_Testsome, rota_testsome,
               (int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]),
               (count, requests, found, indices, statuses))
ROTA_INTERPOSE(MPI_Request_get_status, rota_request_get_status,
               (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
ROTA_INTERPOSE(MPI_Iprobe, rota_iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
               (source, tag, comm, flag, status))

#if ROTA_SHOWS_PERSISTENT
#define ROTA_IF_PERSISTENT_SHOWN(...) ROTA_IF_PERSISTENT(__VA_ARGS__)
#else
#define ROTA_IF_PERSISTENT_SHOWN(...)
#endif

#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                                               \
  ROTA_INTERPOSE(MPI_##name_in_mpi, rota_##name, parameters, arguments)                                   \
  ROTA_INTERPOSE(MPI_I##name, rota_i##name, (ROTA_LISTED parameters, MPI_Request * request),              \
                 (ROTA_LISTED arguments, request))                                                        \
  ROTA_IF_PERSISTENT_SHOWN(ROTA_INTERPOSE(MPI_##name_in_mpi##_init, rota_##name##_init,                   \
                                          (ROTA_LISTED parameters, MPI_Info info, MPI_Request * request), \
                                          (ROTA_LISTED arguments, info, request)))
#define ROTA_COUNT int
#define ROTA_DISPLACEMENT int
#include "rota_calls.inc"
#undef ROTA_DISPLACEMENT
#undef ROTA_COUNT
#undef ROTA_CALL

#if ROTA_SHOWS_LARGE_COUNTS && MPI_VERSION >= 4
#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                                               \
  ROTA_INTERPOSE(MPI_##name_in_mpi##_c, rota_##name##_c, parameters, arguments)                           \
  ROTA_INTERPOSE(MPI_I##name##_c, rota_i##name##_c, (ROTA_LISTED parameters, MPI_Request * request),      \
                 (ROTA_LISTED arguments, request))                                                        \
  ROTA_IF_PERSISTENT_SHOWN(ROTA_INTERPOSE(MPI_##name_in_mpi##_init_c, rota_##name##_init_c,               \
                                          (ROTA_LISTED parameters, MPI_Info info, MPI_Request * request), \
                                          (ROTA_LISTED arguments, info, request)))
#define ROTA_COUNT MPI_Count
#define ROTA_DISPLACEMENT MPI_Aint
#include "rota_calls.inc"
#endif
