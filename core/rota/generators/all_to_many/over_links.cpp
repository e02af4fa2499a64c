#include "rota/generators/all_to_many/over_links.hpp"

#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/placed.hpp"
#include "rota/generators/all_to_many/timed.hpp"
#include "rota/matchings/grouped_matchings.hpp"

namespace rota {

std::int64_t bytes_over_links(const Pattern& pattern, const Hosts& hosts) {
  require_same_ranks(pattern, hosts);
  const Divided messages = divided(pattern, hosts);
  return grouped_length(edges_in_grains(messages.between, 1), hosts.of_rank, hosts.of_rank, hosts.links);
}

Schedule all_to_many_over_links(const std::shared_ptr<const Pattern>& pattern,
                                const std::shared_ptr<const Hosts>& hosts, std::int64_t grain_bytes,
                                std::uint64_t seed) {
  require_same_ranks(*pattern, *hosts);
  const Divided messages = divided(*pattern, *hosts);
  const auto matchings = grouped_matchings(edges_in_grains(messages.between, grain_bytes), hosts->of_rank,
                                           hosts->of_rank, hosts->links);
  return schedule_on_hosts(pattern, hosts,
                           spread(in_fewest_rounds(pattern->ranks(), messages.within, seed),
                                  in_grains(messages.between, matchings, grain_bytes)));
}

}  // namespace rota
