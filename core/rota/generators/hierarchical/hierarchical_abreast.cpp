#include "rota/generators/hierarchical/hierarchical_abreast.hpp"

#include <algorithm>
#include <cmath>

#include "rota/generators/hierarchical/hierarchical.hpp"
#include "rota/generators/hierarchical/two_levels.hpp"

namespace rota {

Schedule hierarchical_abreast_allgather(const Problem& problem) {
  std::vector<HostPart> parts = parts_of_hosts(problem);
  for (HostPart& part : parts) part.unit = std::max<BlockIndex>(1, std::ssize(part.owners));
  return allgather_on_two_levels(problem, std::move(parts));
}

Pipeline hierarchical_abreast_allgather_pipeline(const Load& load) {
  const Placement& at = load.placement;
  const double owners = at.most_owners;
  const double lanes = at.lanes;
  const double passed_on = ceil_log2(at.hosts) - 1;
  const double passes = ceil_log2(at.most_ranks) - 1;
  const double of_fullest = std::min(load.bytes, owners * load.largest_share_bytes);
  const double beyond_mean = of_fullest - load.bytes / at.hosts;
  const bool gathers = at.most_owners > 1 || at.lanes > 1;
  return {.per_block = 1 / lanes,
          .fixed = passed_on,
          .bytes = std::max(lane_bytes(load), load.largest_share_bytes / lanes),
          .spread_bytes = passed_on * beyond_mean + load.bytes * lanes,
          .silent_per_block = 1 / lanes + (gathers ? 1 / (owners * std::ceil(lanes / owners)) : 0),
          .silent_fixed = (gathers ? 2 : 1) * passes,
          .silent_spread_bytes = passes * load.bytes * lanes};
}

}  // namespace rota
