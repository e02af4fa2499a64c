// Collectives between two groups of ranks as Python objects.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "named.hpp"
#include "rota/generators/between_groups/inter_ring.hpp"
#include "rota/generators/index.hpp"
#include "rota/model/simulate.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/groups.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

/// Without shares of each rank.
constexpr std::array as_a_whole{Collective::inter_broadcast, Collective::inter_reduce,
                                Collective::inter_allreduce};

using HostOfRank = std::vector<Rank>;

Problem inter_problem(std::vector<std::int64_t> shares, Rank first_group, BlockIndex blocks,
                      const HostOfRank& hosts, Rank links) {
  Problem problem{Collective::inter_allgather, static_cast<Rank>(shares.size()), 0, blocks};
  problem.hosts = hosts_of(hosts, links);
  problem.first_group = first_group;
  problem.shares = std::move(shares);
  require_valid(problem);
  return problem;
}

/// Does it solve the problem only where ranks share hosts, and none do?
bool lacks_hosts(const Algorithm& algorithm, Problem problem) {
  if (problem.hosts != nullptr) return false;
  problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(problem.ranks, 1));
  return algorithm.solves(problem);
}

Schedule solved(const Problem& problem, const std::string& algorithm, const char* what) {
  const Algorithm& found = algorithm_called(problem.collective, algorithm);
  if (!found.solves(problem)) {
    const bool for_hosts = lacks_hosts(found, problem);
    refuse_problem(problem.collective, algorithm,
                   for_hosts ? "is for ranks that share hosts; say which do" : what);
  }
  return found.schedule(problem);
}

Schedule inter_allgather(const std::string& algorithm, std::vector<std::int64_t> shares, Rank first_group,
                         BlockIndex blocks, const HostOfRank& hosts, Rank links) {
  return solved(inter_problem(std::move(shares), first_group, blocks, hosts, links), algorithm,
                "is for data of one group only; choose spread or circulant");
}

Schedule inter_group(const CollectiveOrName& asked, const std::string& algorithm, Rank ranks,
                     Rank first_group, Rank root, BlockIndex blocks, bool in_order, const HostOfRank& hosts,
                     Rank links) {
  Problem problem{one_of(as_a_whole, asked), ranks, root, blocks, {}, in_order};
  problem.first_group = first_group;
  problem.hosts = hosts_of(hosts, links);
  require_valid(problem);
  return solved(problem, algorithm, "does not keep the order of ranks here; choose another algorithm");
}

std::vector<Candidate> inter_candidates(std::vector<std::int64_t> shares, Rank first_group,
                                        const Network& network, const HostOfRank& hosts, Rank links) {
  const Problem problem = inter_problem(std::move(shares), first_group, 1, hosts, links);
  const Load load = load_of(problem, 0);
  const auto most = std::max<BlockIndex>(1, std::ranges::max(problem.shares));
  std::vector<Candidate> found;
  for (const Algorithm& algorithm : algorithms()) {
    if (!suits(algorithm, problem)) continue;
    const Pipeline pipeline = algorithm.pipeline(load);
    const BlockIndex blocks = best_blocks(pipeline, network, most);
    found.push_back({std::string(algorithm.name), blocks, predicted_seconds(pipeline, network, blocks)});
  }
  return found;
}

}  // namespace

void bind_inter_group(nb::module_& module) {
  module.def(
      "inter_allgather", inter_allgather, "algorithm"_a, "shares"_a, nb::kw_only(), "first_group"_a,
      "blocks"_a = 1, "hosts"_a = HostOfRank{}, "links"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
      "The schedule by which ranks 0..first_group - 1 get the data of all others and these get theirs. "
      "Rank r has shares[r] bytes, the largest share in `blocks` blocks. `hosts`: of each rank the number of "
      "its host, which has so many `links`; hierarchical sends each byte into a host once.\n\n"
      "Raises ValueError for an unknown algorithm, one that does not serve both groups where both have "
      "data, one for hosts without hosts, hosts of other ranks, groups without ranks, shares < 0, "
      "blocks < 1.");
  module.def(
      "inter_group", inter_group, "collective"_a, "algorithm"_a, nb::kw_only(), "ranks"_a, "first_group"_a,
      "root"_a = 0, "blocks"_a = 1, "in_order"_a = false, "hosts"_a = HostOfRank{}, "links"_a = 1,
      "The schedule of an inter_broadcast, inter_reduce or inter_allreduce; `hosts` and `links` as in "
      "inter_allgather.\n\n"
      "Raises ValueError as inter_allgather does, and for one that does not keep the order asked for.");
  module.def(
      "inter_candidates", inter_candidates, "shares"_a, nb::kw_only(), "first_group"_a, "network"_a,
      "hosts"_a = HostOfRank{}, "links"_a = 1,
      "The algorithms for an inter_allgather of these shares, with their best numbers of blocks; where "
      "`hosts` says which ranks share one, those that mind it.");
  module.def(
      "inter_least_seconds",
      [](const Schedule& schedule, const Network& network) {
        return least_seconds(load_of(schedule.problem, 0), network);
      },
      "schedule"_a, "network"_a, "No schedule takes less for the same inter_allgather.");
  module.def("inter_ring_least_rounds", inter_ring_least_rounds, "senders"_a, "receivers"_a,
             "No schedule on a ring takes fewer rounds.");
  module.def(
      "verify_on_ring",
      [](const Schedule& schedule) { return verify(schedule, ring_links(schedule.problem.ranks)); },
      "schedule"_a, nb::call_guard<nb::gil_scoped_release>(),
      "All violations on a network in which each rank has links to the next and the previous one only.");
}

}  // namespace rota
