/* Rota's collectives as a C library: rota_x takes the arguments of MPI_X.
 *
 * Compile with what `rota flags --mpi ...` prints and call them in place of MPI's: same arguments, same
 * results, same
 * errors. What Rota does not serve goes to the MPI library's own collective. Like MPI's, each is collective
 * over its
 * communicator and may be called from several threads on different communicators.
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

/* Broadcast of `count` items of `datatype` from rank `root` of `comm` to all others. Returns an MPI error
 * code. In n blocks over p ranks: n - 1 + ceil(log2 p) rounds, and every byte through every port once (paper
 * 1, Algorithm 1). */
ROTA_API int rota_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

#if MPI_VERSION >= 4
/* The same with a large count. */
ROTA_API int rota_bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
#endif

/* MPI_Init, MPI_Init_thread and MPI_Finalize with Rota's part in them: the settings (ROTA_...) of rank 0 go
 * to all ranks, and the report is printed. A program that calls MPI's own instead gets no report, and its
 * ranks go each by their own environment, which must then be the same on all of them. */
ROTA_API int rota_init(int* argc, char*** argv);
ROTA_API int rota_init_thread(int* argc, char*** argv, int required, int* provided);
ROTA_API int rota_finalize(void);

#ifdef __cplusplus
}
#endif

#endif
