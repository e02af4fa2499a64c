#include "rota/generators/between_groups/inter_on_hosts.hpp"

#include <vector>

#include "rota/generators/between_groups/inter_by_allgather.hpp"
#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/generators/hierarchical/two_levels.hpp"
#include "rota/schedule/groups.hpp"

namespace rota {

Schedule inter_on_hosts(const Problem& problem) {
  return inter_by_allgather(problem, [&](const Problem& among_all) {
    std::vector<HostPart> parts = parts_of_hosts(among_all);
    if (is_half_duplex(problem)) {
      const Group senders = senders_of(problem);
      for (HostPart& part : parts) std::erase_if(part.takers, [&](Rank rank) { return senders.has(rank); });
    }
    return allgather_on_two_levels(among_all, std::move(parts));
  });
}

}  // namespace rota
