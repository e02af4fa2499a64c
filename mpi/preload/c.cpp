// The C symbols that take the place of the MPI library's: PMPI_X is rota_x, and MPI_X too where no tool comes between.
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

/// A tool behind Rota may go past it: Darshan calls not PMPI_Init but what comes behind itself. So what Rota
/// does when MPI starts and ends is done here too; a second time does nothing.
#define ROTA_INTERPOSE_START(mpi_name, rota_name, parameters, arguments)                          \
  extern "C" ROTA_API int P##mpi_name parameters {                                                \
    return rota::preload::in_librota<decltype(rota_name)>(#rota_name) arguments;                  \
  }                                                                                               \
  extern "C" ROTA_API int mpi_name parameters {                                                   \
    auto* const tools = rota::preload::in_tool<decltype(rota_name)>(#mpi_name);                   \
    if (tools == nullptr) return P##mpi_name arguments;                                           \
    const int code = tools arguments;                                                             \
    if (code == MPI_SUCCESS) rota::preload::in_librota<decltype(rota_started)>("rota_started")(); \
    return code;                                                                                  \
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

ROTA_INTERPOSE(MPI_Comm_free, rota_comm_free, (MPI_Comm * comm), (comm))
ROTA_INTERPOSE(MPI_Comm_disconnect, rota_comm_disconnect, (MPI_Comm * comm), (comm))
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
ROTA_INTERPOSE(MPI_Session_init, rota_session_init,
               (MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session), (info, errhandler, session))
ROTA_INTERPOSE(MPI_Session_finalize, rota_session_finalize, (MPI_Session * session), (session))
#endif
ROTA_INTERPOSE(MPI_Bcast, rota_bcast,
               (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
               (buffer, count, datatype, root, comm))
ROTA_INTERPOSE(MPI_Reduce, rota_reduce,
               (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, root, comm))
ROTA_INTERPOSE(MPI_Allreduce, rota_allreduce,
               (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
ROTA_INTERPOSE(MPI_Allgather, rota_allgather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ROTA_INTERPOSE(MPI_Allgatherv, rota_allgatherv,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
ROTA_INTERPOSE(MPI_Reduce_scatter, rota_reduce_scatter,
               (const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, recvcounts, datatype, op, comm))
ROTA_INTERPOSE(MPI_Reduce_scatter_block, rota_reduce_scatter_block,
               (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, recvcount, datatype, op, comm))
ROTA_INTERPOSE(MPI_Scan, rota_scan,
               (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
ROTA_INTERPOSE(MPI_Exscan, rota_exscan,
               (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
ROTA_INTERPOSE(MPI_Alltoall, rota_alltoall,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ROTA_INTERPOSE(MPI_Alltoallv, rota_alltoallv,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
ROTA_INTERPOSE(MPI_Alltoallw, rota_alltoallw,
               (const void* sendbuf, const int sendcounts[], const int sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const int rdispls[],
                const MPI_Datatype recvtypes[], MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
ROTA_INTERPOSE(MPI_Neighbor_alltoall, rota_neighbor_alltoall,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ROTA_INTERPOSE(MPI_Neighbor_alltoallv, rota_neighbor_alltoallv,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
ROTA_INTERPOSE(MPI_Neighbor_alltoallw, rota_neighbor_alltoallw,
               (const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
#if MPI_VERSION >= 4
ROTA_INTERPOSE(MPI_Bcast_c, rota_bcast_c,
               (void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
               (buffer, count, datatype, root, comm))
ROTA_INTERPOSE(MPI_Reduce_c, rota_reduce_c,
               (const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, root, comm))
ROTA_INTERPOSE(MPI_Allreduce_c, rota_allreduce_c,
               (const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
ROTA_INTERPOSE(MPI_Allgather_c, rota_allgather_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ROTA_INTERPOSE(MPI_Allgatherv_c, rota_allgatherv_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
ROTA_INTERPOSE(MPI_Reduce_scatter_c, rota_reduce_scatter_c,
               (const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm),
               (sendbuf, recvbuf, recvcounts, datatype, op, comm))
ROTA_INTERPOSE(MPI_Reduce_scatter_block_c, rota_reduce_scatter_block_c,
               (const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, recvcount, datatype, op, comm))
ROTA_INTERPOSE(MPI_Scan_c, rota_scan_c,
               (const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
ROTA_INTERPOSE(MPI_Exscan_c, rota_exscan_c,
               (const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
ROTA_INTERPOSE(MPI_Alltoall_c, rota_alltoall_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ROTA_INTERPOSE(MPI_Alltoallv_c, rota_alltoallv_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
ROTA_INTERPOSE(MPI_Alltoallw_c, rota_alltoallw_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
ROTA_INTERPOSE(MPI_Neighbor_alltoall_c, rota_neighbor_alltoall_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ROTA_INTERPOSE(MPI_Neighbor_alltoallv_c, rota_neighbor_alltoallv_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
ROTA_INTERPOSE(MPI_Neighbor_alltoallw_c, rota_neighbor_alltoallw_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
#endif
