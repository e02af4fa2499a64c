// How fast links are, by the times of messages, as the MPI layer judges it.
#include "rota_mpi/decide/pace.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

void bind_pace(nb::module_& module) {
  module.def(
      "pace_of",
      [](std::int64_t bytes, const std::vector<double>& seconds) {
        if (seconds.empty()) throw std::invalid_argument("no messages; give the seconds of one or more");
        return std::string(mpi::name_of(mpi::pace_of(bytes, seconds)));
      },
      "bytes"_a, "seconds"_a, "'slow' or 'fast': links that carried such messages, each in its time.");
}

}  // namespace rota
