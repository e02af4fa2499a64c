// The competition of native calls and schedules in one cell, as a Python object: so that tests can be its adversary.
#include "rota_mpi/decide/cell.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

void bind_cell(nb::module_& module) {
  nb::class_<mpi::Cell>(module, "Cell")
      .def(nb::init<double>(), "meetings"_a)
      .def_static("beginning_with_trial", &mpi::Cell::beginning_with_trial, "meetings"_a)
      .def("is_schedule_next", [](const mpi::Cell& self) { return self.next() == mpi::Arm::schedule; })
      .def(
          "expect",
          [](mpi::Cell& self, double seconds, double meetings) {
            self.expect({.seconds = seconds, .meetings = meetings});
          },
          "seconds"_a, "meetings"_a)
      .def("took", &mpi::Cell::took, "seconds"_a)
      .def("spent", &mpi::Cell::spent, "seconds"_a)
      .def("is_paired", &mpi::Cell::is_paired)
      .def_prop_ro("is_over", &mpi::Cell::is_over)
      .def_prop_ro("taken", &mpi::Cell::taken)
      .def(
          "agree",
          [](mpi::Cell& self, const std::vector<std::int64_t>& taken) {
            return self.agree(taken).trial_cost_s;
          },
          "taken"_a)
      .def("renew_schedule", &mpi::Cell::renew_schedule)
      .def("foresee", &mpi::Cell::foresee, "seconds"_a)
      .def_prop_ro("is_on_earlier", &mpi::Cell::is_on_earlier)
      .def_prop_ro("is_decided", &mpi::Cell::is_decided)
      .def_prop_ro("is_waiting", &mpi::Cell::is_waiting)
      .def_prop_ro("is_promising", &mpi::Cell::is_promising)
      .def_prop_ro("is_on_schedule",
                   [](const mpi::Cell& self) { return self.incumbent() == mpi::Arm::schedule; });
}

}  // namespace rota
