#pragma once

#include <nanobind/nanobind.h>

namespace rota {

void bind_all_to_many(nanobind::module_& module);
void bind_cell(nanobind::module_& module);
void bind_choose(nanobind::module_& module);
void bind_circulant(nanobind::module_& module);
void bind_matchings(nanobind::module_& module);
void bind_inter_group(nanobind::module_& module);
void bind_periodic(nanobind::module_& module);
void bind_schedule(nanobind::module_& module);
void bind_simulate(nanobind::module_& module);
void bind_two_trees(nanobind::module_& module);

}  // namespace rota
