// Profiles of platforms as Python objects, and the network that stands in where there is none.
#include "profile.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota_mpi/decide/predict.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

struct ReadProfile {
  Rank ranks;
  Rank hosts;
  Network network;
  std::vector<Measured> measured;
};

ReadProfile read_profile(const std::string& path) {
  const mpi::Profile profile = mpi::profile_in(path);
  ReadProfile result{profile.ranks, profile.hosts, profile.network, {}};
  for (std::size_t i = 0; i < collective_count; ++i) {
    for (const mpi::Measurement& each : profile.measured[i]) {
      if (each.bytes > 0) result.measured.push_back(named(each, static_cast<Collective>(i)));
    }
  }
  return result;
}

}  // namespace

Measured named(const mpi::Measurement& each, Collective collective) {
  const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(each.algorithm)];
  return {call_name(collective),       each.bytes,        each.native_s, each.rota_s,
          std::string(algorithm.name), each.message_bytes};
}

void bind_profile(nb::module_& module) {
  Data<Measured>(module, "Measured",
                 "The native collective and the best schedule on data of one size; times in seconds.")
      .field("collective", &Measured::collective)
      .field("bytes", &Measured::bytes)
      .field("native_s", &Measured::native_s)
      .field("rota_s", &Measured::rota_s)
      .field("algorithm", &Measured::algorithm)
      .field("message_bytes", &Measured::message_bytes);
  Data<ReadProfile>(module, "Profile", "What was measured of a platform.")
      .field("ranks", &ReadProfile::ranks)
      .field("hosts", &ReadProfile::hosts)
      .field("network", &ReadProfile::network)
      .field("measured", &ReadProfile::measured);
  module.def(
      "default_network", [] { return mpi::network_of({}); },
      "The network for which Rota chooses where no profile says what it is.");
  module.def("read_profile", &read_profile, "path"_a,
             "The profile in a file. Raises ValueError with one line that names file, line and fault.");
}

}  // namespace rota
