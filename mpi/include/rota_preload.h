/* What librota has for the preload library besides rota.h: where tools come between. */
#ifndef ROTA_PRELOAD_H
#define ROTA_PRELOAD_H

#include "rota.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rota's part of MPI_Init and MPI_Finalize, where a tool has called the MPI library's own: after the
 * one, before the other. Collective over MPI_COMM_WORLD; done once, whoever asks for it again. */
ROTA_API void rota_started(void);
ROTA_API void rota_finishing(void);

#ifdef __cplusplus
}
#endif

#endif
