# rota-bench-smpi: the benchmark program for SimGrid's SMPI, in simulated time.
#
# A preloaded library serves nothing there: Rota is built into the program, which SMPI loads once for each rank. -Bsymbolic
# keeps each rank to its own copy, but for what is static in templates or inline: that is one for all.
option(ROTA_SMPI "Build the benchmark program for SMPI where SimGrid's smpicxx is found" ON)
find_program(ROTA_SMPICXX smpicxx)

if(ROTA_SMPI AND ROTA_SMPICXX)
  # What `smpicxx` adds to the compiler's command line, less its language standard.
  cmake_path(GET ROTA_SMPICXX PARENT_PATH smpi_bin)
  cmake_path(GET smpi_bin PARENT_PATH smpi_prefix)
  find_library(ROTA_SIMGRID simgrid HINTS ${smpi_prefix}/lib REQUIRED)
  file(GLOB ROTA_SMPI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/smpi/*.cpp)

  add_library(rota_bench_smpi MODULE ${ROTA_MPI_SOURCES} ${ROTA_BENCH_SOURCES} ${ROTA_SMPI_SOURCES})
  target_link_libraries(rota_bench_smpi PRIVATE rota_choice rota_flags ${ROTA_SIMGRID} ${CMAKE_DL_LIBS})
  target_include_directories(rota_bench_smpi PRIVATE include ${CMAKE_CURRENT_SOURCE_DIR})
  target_include_directories(rota_bench_smpi SYSTEM PRIVATE ${smpi_prefix}/include ${smpi_prefix}/include/smpi)
  target_compile_definitions(rota_bench_smpi PRIVATE SMPI_NO_OVERRIDE_MALLOC ROTA_BUILT_INTO_PROGRAM ROTA_NATIVE_LIBRARY=other)
  rota_read_headers_once(rota_bench_smpi <smpi/smpi_helpers.h>)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(rota_bench_smpi PRIVATE -include smpi/smpi_helpers.h)
  endif()
  target_link_options(rota_bench_smpi PRIVATE -Wl,-Bsymbolic -Wl,-z,defs)
  # SMPI finds the program's main by its name.
  set_target_properties(rota_bench_smpi PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME rota-bench-smpi CXX_VISIBILITY_PRESET default)
  install(TARGETS rota_bench_smpi LIBRARY DESTINATION rota/bin COMPONENT rota)
endif()
