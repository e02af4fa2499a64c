/* Rota's collectives as Fortran calls them: everything by address, handles as integers, the error code last.
 *
 * Only for the preload library and only under Open MPI, whose Fortran wrappers call its PMPI symbols
 * directly; MPICH's call the C symbols, which the preload library replaces anyway. `ierror` may be null: in
 * the module mpi_f08 it is optional.
 */
#ifndef ROTA_FORTRAN_H
#define ROTA_FORTRAN_H

#include "rota.h"

#ifdef __cplusplus
extern "C" {
#endif

ROTA_API void rota_fortran_init(MPI_Fint* ierror);
ROTA_API void rota_fortran_init_thread(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* ierror);
ROTA_API void rota_fortran_finalize(MPI_Fint* ierror);
ROTA_API void rota_fortran_bcast(void* buffer, const MPI_Fint* count, const MPI_Fint* datatype,
                                 const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* ierror);

#ifdef __cplusplus
}
#endif

#endif
