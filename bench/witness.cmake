# rota-witness: schedules played on SimGrid, where Debian's libsimgrid-dev or another SimGrid is installed.
option(ROTA_SIMGRID_WITNESS "Build the program that plays schedules on SimGrid where its library is found" ON)
find_library(ROTA_SIMGRID simgrid)
find_path(ROTA_SIMGRID_HEADERS simgrid/s4u.hpp)

if(ROTA_MPI AND ROTA_SIMGRID_WITNESS AND ROTA_SIMGRID AND ROTA_SIMGRID_HEADERS)
  add_executable(rota-witness witness/main.cpp)
  target_link_libraries(rota-witness PRIVATE rota_flags ${ROTA_SIMGRID})
  target_include_directories(rota-witness SYSTEM PRIVATE ${ROTA_SIMGRID_HEADERS})
  install(TARGETS rota-witness RUNTIME DESTINATION rota/bin COMPONENT rota)
endif()
