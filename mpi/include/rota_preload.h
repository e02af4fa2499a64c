/* What librota has for the preload library besides rota.h: for the symbols that are not C's. */
#ifndef ROTA_PRELOAD_H
#define ROTA_PRELOAD_H

#include "rota.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rota's part of MPI_Init and MPI_Finalize, for those that Fortran programs call: after the one, before the other.
 * Collective over MPI_COMM_WORLD. */
ROTA_API void rota_started(void);
ROTA_API void rota_finishing(void);

/* rota_x as Fortran calls it: everything by address, handles as integers, the error code last; `ierror` may
 * be null, for in the module mpi_f08 it is optional. Only under Open MPI, whose Fortran wrappers call its
 * PMPI
 * symbols; MPICH's call MPI_X, which the preload library replaces anyway. */
#define ROTA_FORTRAN(name, NAME, parameters, ...) ROTA_API void rota_fortran_##name parameters;
#include "rota_fortran.inc"
#undef ROTA_FORTRAN

#ifdef __cplusplus
}
#endif

#endif
