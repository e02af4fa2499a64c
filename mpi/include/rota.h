/* Rota's collectives as a C library: rota_x takes the arguments of MPI_X. Which there are, and what each takes,
 * stands in rota_calls.inc.
 *
 * Compile with what `rota flags --mpi ...` prints and call them in place of MPI's: same arguments, same
 * results, same errors. What Rota does not serve goes to the MPI library's own collective. Like MPI's,
 * each is collective over its communicator and may be called from several threads on different
 * communicators. README.md has the papers by their numbers.
 */
#ifndef ROTA_H
#define ROTA_H

#include <mpi.h>

#if defined(__GNUC__)
#define ROTA_API __attribute__((visibility("default")))
#else
#define ROTA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ROTA_LISTED(...) __VA_ARGS__
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ROTA_IF_PERSISTENT(...) __VA_ARGS__
#else
#define ROTA_IF_PERSISTENT(...)
#endif

/* rota_ix takes the arguments of MPI_Ix, and completes its request as that does; rota_x_init those of MPI_X_init. */
#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                \
  ROTA_API int rota_##name parameters;                                     \
  ROTA_API int rota_i##name(ROTA_LISTED parameters, MPI_Request* request); \
  ROTA_IF_PERSISTENT(                                                      \
      ROTA_API int rota_##name##_init(ROTA_LISTED parameters, MPI_Info info, MPI_Request* request);)
#define ROTA_COUNT int
#define ROTA_DISPLACEMENT int
#include "rota_calls.inc"
#undef ROTA_DISPLACEMENT
#undef ROTA_COUNT
#undef ROTA_CALL

#if MPI_VERSION >= 4
#define ROTA_CALL(name_in_mpi, name, parameters, arguments)                    \
  ROTA_API int rota_##name##_c parameters;                                     \
  ROTA_API int rota_i##name##_c(ROTA_LISTED parameters, MPI_Request* request); \
  ROTA_API int rota_##name##_init_c(ROTA_LISTED parameters, MPI_Info info, MPI_Request* request);
#define ROTA_COUNT MPI_Count
#define ROTA_DISPLACEMENT MPI_Aint
#include "rota_calls.inc"
#undef ROTA_DISPLACEMENT
#undef ROTA_COUNT
#undef ROTA_CALL
#endif

/* MPI_Start, MPI_Startall and MPI_Request_free, of any requests: those of rota_x_init need these. */
ROTA_API int rota_start(MPI_Request* request);
ROTA_API int rota_startall(int count, MPI_Request requests[]);
ROTA_API int rota_request_free(MPI_Request* request);

/* MPI_Test and its kin, of any requests. Between tests that are made by these, what calls that return at once have started comes
 * farther under MPI libraries that ask their networks last. */
ROTA_API int rota_test(MPI_Request* request, int* flag, MPI_Status* status);
ROTA_API int rota_testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
ROTA_API int rota_testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
ROTA_API int rota_testsome(int count, MPI_Request requests[], int* found, int indices[],
                           MPI_Status statuses[]);
ROTA_API int rota_request_get_status(MPI_Request request, int* flag, MPI_Status* status);
ROTA_API int rota_iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status);

/* MPI_Barrier. It is none of Rota's schedules; but where calls that return at once wait for one that blocks, to have tried out
 * what they gain, ranks do that before. */
ROTA_API int rota_barrier(MPI_Comm comm);

/* An exchange that is planned once and run many times: all but the buffers of a call to MPI_Alltoallv, and
 * the schedule for it. Where rota_alltoallv has all ranks look at each call whether its pattern is one
 * that they remember, a plan just plays. */
typedef struct rota_plan rota_plan; /* NOLINT(modernize-use-using): this is C */

/* Plans for these counts, displacements and types, which mean what they mean in MPI_Alltoallv. Collective
 * over `comm`; the arrays are copied, and the types may be freed. A plan in place has null for
 * `sendcounts` and `sdispls`; `sendtype` is then ignored. The settings in force decide now whether the
 * runs play a schedule or call MPI_Alltoallv.
 *
 * Returns an MPI error code after calling the communicator's error handler: MPI_ERR_ARG for counts below
 * 0, missing arrays and types that are none; MPI_ERR_NO_MEM. `*plan` is then left as it was. With p ranks
 * and n messages in all: O(p + n) memory while planning, that of the algorithm included; the plan keeps
 * O(p) and its own messages. */
ROTA_API int rota_alltoallv_plan(const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                                 const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                                 MPI_Comm comm, rota_plan** plan);

/* Runs a plan on these buffers, other ones each time if need be; MPI_IN_PLACE for `sendbuf` where the plan
 * is in place, and nowhere else (MPI_ERR_BUFFER). Collective over the plan's communicator, which must not
 * have been freed, and in one order with its other collectives; errors go to its error handler. Of a null
 * plan, MPI_ERR_ARG to that of MPI_COMM_SELF. */
ROTA_API int rota_plan_run(rota_plan* plan, const void* sendbuf, void* recvbuf);

/* Frees a plan, before MPI_Finalize, and sets it to null. Local. */
ROTA_API int rota_plan_free(rota_plan** plan);

#if MPI_VERSION >= 4
/* Plans with large counts. */
ROTA_API int rota_alltoallv_plan_c(const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   MPI_Datatype sendtype, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                   rota_plan** plan);
#endif

/* The calls above on an inter-communicator: every rank's items to all ranks of the other group (allgather,
 * allgatherv), a root's to the other group or back (bcast, reduce with MPI_ROOT and MPI_PROC_NULL), the
 * other group's reduction to each (allreduce). With p ranks of k bytes each on one side, p k bytes through
 * every port of the other, in both directions at once if both have data (paper 3).
 *
 * rota_between makes an inter-communicator of two disjoint lists of ranks of an ordinary communicator, to
 * be used so and freed with MPI_Comm_free. Collective over the ranks in the lists, which all give the same
 * ones; other ranks that call it get MPI_COMM_NULL. Raises MPI_ERR_RANK on `comm` for a list without
 * ranks, a rank that stands there twice, and what is no rank. */
ROTA_API int rota_between(MPI_Comm comm, int first_count, const int first[], int second_count,
                          const int second[], MPI_Comm* between);

/* A series of operations - scatters, all-to-alls, reduces or broadcasts again and again - on a platform whose
 * links differ, by the timetable of a plan that no schedule surpasses in the long run (`rota plan`, paper 5).
 * Messages take several ways at once, ranks forward what is not theirs, and operations follow one another
 * without a gap: while the last ones arrive, the next ones are on their way. */
typedef struct rota_series rota_series; /* NOLINT(modernize-use-using): this is C */

/* Where a stream's operations have their data, asked in order, operations 0, 1, ...
 *
 * source: what this rank sends in this operation: its messages one after the other, as the plan names them
 *         (scatter: to each target; all-to-all: to each host but itself; reduce: its operand). Left as it is.
 * target: where it gets its messages of this operation, in the same way.
 * over:   the operation is over at this rank: its target is filled, its source no longer read. May be null,
 *         as source may where the rank sends nothing, and target where it gets nothing.
 *
 * These functions call no MPI. */
typedef struct rota_stream { /* NOLINT(modernize-use-using): this is C */
  void* state;
  const void* (*source)(void* state, MPI_Count operation);
  void* (*target)(void* state, MPI_Count operation);
  void (*over)(void* state, MPI_Count operation);
} rota_stream;

/* Makes a series ready. `timetable`, at rank 0, is the text that `rota timetable plan.json` writes, for as
 * many ranks as `comm` has; what other ranks give does not matter. A unit message is `count` items of
 * `datatype`, which has no gaps; `op` combines a reduce's operands in order and must be associative, and is
 * MPI_OP_NULL for what only moves data. Both must stay as long as the series. Collective over `comm`.
 *
 * Returns an MPI error code after calling the communicator's error handler, the same on all ranks; its string
 * says what is wrong: with the timetable, which the verifier plays first, with counts or types. */
ROTA_API int rota_series_open(const char* timetable, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, rota_series** series);

/* The items that this rank sends and gets in each operation, and how many operations are under way at most: so
 * many sources and targets are in use at once. Local. */
ROTA_API int rota_series_needs(const rota_series* series, MPI_Count* sent, MPI_Count* received,
                               MPI_Count* under_way);

/* Carries out so many operations and returns when all are over here. Collective over the communicator, in one
 * order with its other collectives. Memory: what passes through this rank, for as many operations as are
 * under way. */
ROTA_API int rota_series_run(rota_series* series, MPI_Count operations, const rota_stream* stream);

/* Frees a series, before MPI_Finalize, and sets it to null. Local. */
ROTA_API int rota_series_close(rota_series** series);

/* The version of this library: 1.2.3 is major 1, minor 2, patch 3. Returns MPI_SUCCESS. Local; may be called
 * at any time, before MPI_Init too. */
ROTA_API int rota_get_version(int* major, int* minor, int* patch);

/* MPI_Init, MPI_Init_thread and MPI_Finalize with Rota's part in them: the settings (ROTA_...) of rank 0
 * go to all ranks, and the report is printed. A program that calls MPI's own instead gets no report, and
 * its ranks go each by their own environment, which must then be the same on all of them. */
ROTA_API int rota_init(int* argc, char*** argv);
ROTA_API int rota_init_thread(int* argc, char*** argv, int required, int* provided);
ROTA_API int rota_finalize(void);

/* MPI_Abort with Rota's part in it: the report is what the rank that ends the job has noted. */
ROTA_API int rota_abort(MPI_Comm comm, int code);

/* MPI_Comm_free and MPI_Comm_disconnect for programs whose attribute-delete functions call collectives on the
 * communicator that is being freed: Rota then leaves these to the MPI library. Others need them not. */
ROTA_API int rota_comm_free(MPI_Comm* comm);
ROTA_API int rota_comm_disconnect(MPI_Comm* comm);

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
/* MPI_Session_init and MPI_Session_finalize for programs that open a session after their last one has ended: what
 * Rota has attached to communicators is not taken for the program's then, nor the program's for Rota's. */
ROTA_API int rota_session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session);
ROTA_API int rota_session_finalize(MPI_Session* session);
#endif

/* From now on as if rank 0's environment had `name` (ROTA_...) set to `value`, or not at all if that is
 * null. Collective over MPI_COMM_WORLD, when nothing that was started is outstanding; what the other ranks
 * pass does not matter. A value that is none ends the program with one line, as at rota_init. */
ROTA_API int rota_configure(const char* name, const char* value);

#ifdef __cplusplus
}
#endif

#endif
