// How a Fortran procedure is intercepted under all names that compilers give it.
#pragma once

#include "engine.hpp"
#include "rota_preload.h"

/// mpif.h and the module mpi share four manglings; mpi_f08 has a name of its own. `intercept` is given each
/// name, and what follows.
#define ROTA_FORTRAN_MANGLINGS(intercept, lower, UPPER, ...)                                          \
  intercept(MPI_##UPPER __VA_OPT__(, ) __VA_ARGS__) intercept(mpi_##lower __VA_OPT__(, ) __VA_ARGS__) \
      intercept(mpi_##lower##_ __VA_OPT__(, ) __VA_ARGS__)                                            \
          intercept(mpi_##lower##__ __VA_OPT__(, ) __VA_ARGS__)
