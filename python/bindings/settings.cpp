// The table of environment variables, what quantities in them stand for, and what is wrong with those of this process, as Python
// objects.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "rota_mpi/settings/environment.hpp"
#include "rota_mpi/settings/quantities.hpp"
#include "rota_mpi/settings/variables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

struct Variable {
  std::string name;
  std::string example;
  std::string by_default;
  std::string valid;
  std::string meaning;
  bool is_of_jobs;
};

std::vector<Variable> variables() {
  std::vector<Variable> all;
  for (const mpi::Variable& each : mpi::variables::all) {
    all.push_back({each.name, each.example, each.by_default, mpi::valid_values(each), each.meaning,
                   each.reader == mpi::Reader::job});
  }
  return all;
}

}  // namespace

void bind_settings(nb::module_& module) {
  Data<Variable>(module, "Variable", "An environment variable by which users steer Rota.")
      .field("name", &Variable::name)
      .field("example", &Variable::example, "One of its values.")
      .field("by_default", &Variable::by_default, "What holds where it is not set, in words.")
      .field("valid", &Variable::valid, "Which values it takes, in words.")
      .field("meaning", &Variable::meaning, "In words, with code between backticks.")
      .field(
          "is_of_jobs", &Variable::is_of_jobs,
          "Is it read by an MPI job, on rank 0 for all ranks? Else by the command `rota`, and where Rota is "
          "built.");
  module.def("variables", variables, "All environment variables that Rota reads.");
  module.def("size_in_variable", mpi::size_called, "text"_a,
             "The bytes that a variable's size stands for; None: it is no size. 2^53: as many or more.");
  module.def("memory_in_variable", mpi::memory_called, "text"_a,
             "The same of a variable in which a number alone counts MiB.");
  module.def("rate_in_variable", mpi::rate_called, "text"_a,
             "The bits per second that a variable's rate stands for, as size_in_variable says them.");
  module.def(
      "faults_in_environment", mpi::faults_of_environment,
      "All that is wrong with the settings in this environment, a line each; an MPI job that was started "
      "with it would end with the first.");
}

}  // namespace rota
