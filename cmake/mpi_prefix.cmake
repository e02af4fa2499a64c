# Where the MPI libraries are that librota is built for: headers to compile with, libraries to link the programs with.
#
#   ROTA_OPENMPI_PREFIX, ROTA_MPICH_PREFIX   installation folders (CMake or environment variables); "none": not for that MPI
#
# Where neither is set: what make has installed. Nothing is fetched here; what builds a wheel (packaging/backend) sets them.

function(rota_mpi_prefix family result)
  string(TOUPPER ${family} upper)
  set(made ${PROJECT_SOURCE_DIR}/.venv/mpi/${family})
  set(prefix "${ROTA_${upper}_PREFIX}")
  if(NOT prefix)
    set(prefix "$ENV{ROTA_${upper}_PREFIX}")
  endif()
  if(NOT prefix AND EXISTS ${made})
    set(prefix ${made})
  endif()
  if(NOT prefix)
    message(FATAL_ERROR "rota: set ROTA_${upper}_PREFIX to the folder of an installed ${family}, or to none")
  elseif(NOT prefix STREQUAL none AND NOT EXISTS "${prefix}/include/mpi.h")
    message(FATAL_ERROR "rota: no include/mpi.h in ROTA_${upper}_PREFIX=${prefix}")
  endif()
  set(${result} ${prefix} PARENT_SCOPE)
endfunction()
