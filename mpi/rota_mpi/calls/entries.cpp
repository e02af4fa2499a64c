// rota_x and rota_x_c of every collective in rota_calls.inc: what serves MPI_X, with MPI_X itself where Rota does not; rota_ix and
// rota_ix_c, which return at once; rota_x_init and rota_x_init_c, which set up what is started again and again.
#include "rota.h"
#include "rota_mpi/calls/combining/combining.hpp"
#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/moving/moving.hpp"
#include "rota_mpi/library/raising.hpp"

namespace rota::mpi {

namespace {

/// Programs that look for a function at run time find Rota's also where the MPI library has none: then it is
/// refused on all ranks.
int refused_as_absent(MPI_Comm comm) {
  return raising_on(comm, []() -> int { throw MpiError{MPI_ERR_UNSUPPORTED_OPERATION}; });
}

}  // namespace

}  // namespace rota::mpi

#define ROTA_REFUSE_IF_ABSENT(mpi_name) \
  if (rota::mpi::pmpi.mpi_name == nullptr) return rota::mpi::refused_as_absent(comm)

#define ROTA_ENTRY(entry, mpi_name, name, parameters, arguments)                                             \
  extern "C" int entry parameters {                                                                          \
    ROTA_REFUSE_IF_ABSENT(mpi_name);                                                                         \
    return rota::mpi::serve_##name(                                                                          \
        ROTA_LISTED arguments, rota::mpi::named<#name>([=] { return rota::mpi::pmpi.mpi_name arguments; })); \
  }

/// Without a place for the request there is nothing to serve.
#define ROTA_STARTING_ENTRY(entry, mpi_name, name, parameters, arguments)                                    \
  extern "C" int entry(ROTA_LISTED parameters, MPI_Request* request) {                                       \
    ROTA_REFUSE_IF_ABSENT(mpi_name);                                                                         \
    const auto native = [=] { return rota::mpi::pmpi.mpi_name(ROTA_LISTED arguments, request); };            \
    if (request == nullptr) return native();                                                                 \
    return rota::mpi::serve_##name(                                                                          \
        ROTA_LISTED arguments, rota::mpi::starting<"i" #name, rota::mpi::Manner::at_once>(native, request)); \
  }

#define ROTA_SETTING_UP_ENTRY(entry, mpi_name, name, parameters, arguments)                             \
  extern "C" int entry(ROTA_LISTED parameters, MPI_Info info, MPI_Request* request) {                   \
    ROTA_REFUSE_IF_ABSENT(mpi_name);                                                                    \
    const auto native = [=] { return rota::mpi::pmpi.mpi_name(ROTA_LISTED arguments, info, request); }; \
    if (request == nullptr) return native();                                                            \
    return rota::mpi::serve_##name(                                                                     \
        ROTA_LISTED arguments,                                                                          \
        rota::mpi::starting<#name "_init", rota::mpi::Manner::persistent>(native, request));            \
  }

#define ROTA_CALL(name_in_mpi, name, parameters, arguments)               \
  ROTA_ENTRY(rota_##name, name_in_mpi, name, parameters, arguments)       \
  ROTA_STARTING_ENTRY(rota_i##name, I##name, name, parameters, arguments) \
  ROTA_IF_PERSISTENT(                                                     \
      ROTA_SETTING_UP_ENTRY(rota_##name##_init, name_in_mpi##_init, name, parameters, arguments))
#define ROTA_COUNT int
#define ROTA_DISPLACEMENT int
#include "rota_calls.inc"
#undef ROTA_DISPLACEMENT
#undef ROTA_COUNT
#undef ROTA_CALL

#if MPI_VERSION >= 4
#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                       \
  ROTA_ENTRY(rota_##name##_c, name_in_mpi##_c, name, parameters, arguments)       \
  ROTA_STARTING_ENTRY(rota_i##name##_c, I##name##_c, name, parameters, arguments) \
  ROTA_SETTING_UP_ENTRY(rota_##name##_init_c, name_in_mpi##_init_c, name, parameters, arguments)
#define ROTA_COUNT MPI_Count
#define ROTA_DISPLACEMENT MPI_Aint
#include "rota_calls.inc"
#endif

extern "C" {
int rota_start(MPI_Request* request) { return rota::mpi::start_again(request); }
int rota_startall(int count, MPI_Request requests[]) { return rota::mpi::start_all_again(count, requests); }
int rota_request_free(MPI_Request* request) { return rota::mpi::free_request(request); }
}
