// How a Fortran procedure is intercepted under all names that compilers give it.
#pragma once

#include "engine.hpp"
#include "rota_preload.h"

/// mpif.h and the module mpi share four manglings; mpi_f08 has a name of its own.
#define ROTA_FORTRAN_MANGLINGS(intercept, lower, UPPER) \
  intercept(MPI_##UPPER) intercept(mpi_##lower) intercept(mpi_##lower##_) intercept(mpi_##lower##__)
