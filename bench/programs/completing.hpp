// What programs do with several requests, in loops: every form of wait and test. print_c.cpp has the same in C.
#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

namespace rota::programs {

/// Requests that are completed, or may be; statuses where they are, of as many.
struct Requests {
  std::vector<MPI_Request> all;
  std::vector<MPI_Status> statuses;

  int count() const { return static_cast<int>(all.size()); }
};

/// One call or more, by the name that programs have for it. Returns MPI's first code that is an error.
int acted(std::string_view name, Requests& requests);

}  // namespace rota::programs
