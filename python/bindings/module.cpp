// The Python module rota._core: one bind_… function for each room of core.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "Schedules of collective communication: Rota's C++ core.";
  module.attr("VERSION") = ROTA_VERSION;
  rota::bind_circulant(module);
  rota::bind_schedule(module);
  rota::bind_simulate(module);
  rota::bind_machines(module);
  rota::bind_all_to_many(module);
  rota::bind_inter_group(module);
  rota::bind_profile(module);
  rota::bind_choose(module);
  rota::bind_pace(module);
  rota::bind_cell(module);
  rota::bind_interrupt(module);
  rota::bind_matchings(module);
  rota::bind_periodic(module);
  rota::bind_settings(module);
  rota::bind_two_trees(module);
}
