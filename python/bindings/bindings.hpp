#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rota/schedule/hosts.hpp"

namespace rota {

/// Hosts by the number of each rank's, each with so many links; none: each rank has one to itself.
inline std::shared_ptr<const Hosts> hosts_of(const std::vector<Rank>& host_of_rank, Rank links = 1) {
  if (host_of_rank.empty() && links != 1)
    throw std::invalid_argument("links of hosts without hosts; say which ranks share one");
  if (host_of_rank.empty()) return nullptr;
  return std::make_shared<const Hosts>(with_links(hosts_called(host_of_rank), links));
}

/// An algorithm that solves a problem, the number of blocks that suits it, and what that is predicted to
/// take.
struct Candidate {
  std::string algorithm;
  BlockIndex blocks;
  double seconds;
};

void bind_all_to_many(nanobind::module_& module);
void bind_cell(nanobind::module_& module);
void bind_choose(nanobind::module_& module);
void bind_circulant(nanobind::module_& module);
void bind_interrupt(nanobind::module_& module);
void bind_machines(nanobind::module_& module);
void bind_matchings(nanobind::module_& module);
void bind_inter_group(nanobind::module_& module);
void bind_pace(nanobind::module_& module);
void bind_periodic(nanobind::module_& module);
void bind_profile(nanobind::module_& module);
void bind_schedule(nanobind::module_& module);
void bind_settings(nanobind::module_& module);
void bind_simulate(nanobind::module_& module);
void bind_two_trees(nanobind::module_& module);

}  // namespace rota
