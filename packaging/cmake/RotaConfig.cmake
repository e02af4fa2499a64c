# find_package(Rota COMPONENTS openmpi): Rota::openmpi, Rota::mpich, Rota::mpi5, the library for each MPI that it is built for, to link a
# program to beside that MPI. Without components, all that are there. All paths are found from this file's: the folder may be moved.
get_filename_component(ROTA_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

foreach(abi openmpi mpich mpi5)
  set(library "${ROTA_FOLDER}/lib/librota_${abi}.so")
  if(EXISTS "${library}")
    set(Rota_${abi}_FOUND TRUE)
    if(NOT TARGET Rota::${abi})
      add_library(Rota::${abi} SHARED IMPORTED)
      set_target_properties(Rota::${abi} PROPERTIES
        IMPORTED_LOCATION "${library}"
        IMPORTED_NO_SONAME TRUE
        INTERFACE_INCLUDE_DIRECTORIES "${ROTA_FOLDER}/include")
    endif()
    # To preload into programs of MPI libraries that have all of MPI 4; into others': what `rota lib` prints.
    set(Rota_${abi}_PRELOAD "${ROTA_FOLDER}/lib/librota_preload_${abi}.so")
  endif()
endforeach()

foreach(component ${Rota_FIND_COMPONENTS})
  if(NOT Rota_${component}_FOUND AND Rota_FIND_REQUIRED_${component})
    set(Rota_FOUND FALSE)
    set(Rota_NOT_FOUND_MESSAGE "this Rota is not built for ${component} (openmpi, mpich and mpi5 are what there is)")
  endif()
endforeach()
