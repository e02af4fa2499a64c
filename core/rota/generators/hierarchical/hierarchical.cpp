#include "rota/generators/hierarchical/hierarchical.hpp"

#include <algorithm>
#include <cmath>

#include "rota/generators/hierarchical/two_levels.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

Schedule hierarchical_allgather(const Problem& problem) {
  return allgather_on_two_levels(problem, parts_of_hosts(problem));
}

namespace {

/// Of shares that differ, in every round other blocks may be the small ones. No port carries more than all
/// that goes over links in a round but its own host's block, and that has a part of the smallest share at
/// least: all but this of a mean host's.
double uneven_bytes(const Load& load) {
  if (!is_shared_out(load.collective)) return 0;
  const Placement& at = load.placement;
  return std::max(0.0, load.bytes / at.hosts - at.most_owners * load.smallest_share_bytes);
}

}  // namespace

Pipeline hierarchical_allgather_pipeline(const Load& load) {
  const Placement& at = load.placement;
  const double owners = at.most_owners;
  const double lanes = at.lanes;
  const double passed_on = ceil_log2(at.hosts) - 1;
  const double beyond_mean = std::max(0.0, load.largest_share_bytes - load.bytes / at.hosts);
  const double bytes =
      std::max(lane_bytes(load) + uneven_bytes(load) / lanes, load.largest_share_bytes / lanes);
  // Leaders pass a block on in a round; where others than each lane's leader own its data, owners gather first.
  const double gathers = at.most_owners == at.lanes ? 0 : 1 / std::ceil(lanes / owners);
  const double passes = ceil_log2(at.most_ranks) - 1;
  return {.per_block = owners / lanes,
          .fixed = passed_on,
          .bytes = bytes,
          .spread_bytes = passed_on * beyond_mean / owners,
          .silent_per_block = owners / lanes + gathers,
          .silent_fixed = (gathers > 0 ? 2 : 1) * passes,
          .silent_spread_bytes = passes * load.bytes * lanes / owners};
}

double lane_bytes(const Load& load) {
  Load on_one_link = load;
  on_one_link.placement.links = on_one_link.placement.lanes = 1;
  return port_bytes_bound(on_one_link) / load.placement.lanes;
}

std::vector<Rank> leaders_of(const Problem& problem) {
  std::vector<Rank> leaders;
  for (const HostPart& part : parts_of_hosts(problem))
    leaders.insert(leaders.end(), part.ranks.begin(), part.ranks.begin() + problem.hosts->lanes());
  std::ranges::sort(leaders);
  return leaders;
}

}  // namespace rota
