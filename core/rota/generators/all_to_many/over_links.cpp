#include "rota/generators/all_to_many/over_links.hpp"

#include <utility>
#include <vector>

#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/timed.hpp"
#include "rota/matchings/grouped_matchings.hpp"

namespace rota {

namespace {

/// A pattern's messages, by whether they pass links.
struct Divided {
  std::vector<Shipment> between;
  std::vector<Shipment> within;
};

Divided divided(const Pattern& pattern, const Hosts& hosts) {
  Divided result;
  for (const Shipment& each : pattern.shipments()) {
    const bool is_within = hosts.of_rank[static_cast<std::size_t>(each.from)] ==
                           hosts.of_rank[static_cast<std::size_t>(each.to)];
    (is_within ? result.within : result.between).push_back(each);
  }
  return result;
}

/// Whole messages, in the fewest rounds.
Timed within_hosts(Rank ranks, const std::vector<Shipment>& shipments, std::uint64_t seed) {
  const Schedule schedule = exact_permutations(std::make_shared<const Pattern>(ranks, shipments), seed);
  return {listed(schedule), schedule.rounds};
}

}  // namespace

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
  const Timed all = spread(within_hosts(pattern->ranks(), messages.within, seed),
                           in_grains(messages.between, matchings, grain_bytes));
  Schedule schedule = timed_schedule(pattern, all.parcels, all.rounds);
  schedule.round_bytes = nullptr;
  schedule.problem.hosts = hosts;
  return schedule;
}

}  // namespace rota
