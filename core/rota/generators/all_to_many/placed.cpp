#include "rota/generators/all_to_many/placed.hpp"

#include "rota/generators/all_to_many/exact_permutations.hpp"

namespace rota {

Divided divided(const Pattern& pattern, const Hosts& hosts) {
  Divided result;
  for (const Shipment& each : pattern.shipments()) {
    const bool is_within = hosts.of_rank[static_cast<std::size_t>(each.from)] ==
                           hosts.of_rank[static_cast<std::size_t>(each.to)];
    (is_within ? result.within : result.between).push_back(each);
  }
  return result;
}

Timed in_fewest_rounds(Rank ranks, const std::vector<Shipment>& shipments, std::uint64_t seed) {
  const Schedule schedule = exact_permutations(std::make_shared<const Pattern>(ranks, shipments), seed);
  return {listed(schedule), schedule.rounds};
}

Schedule schedule_on_hosts(const std::shared_ptr<const Pattern>& pattern,
                           const std::shared_ptr<const Hosts>& hosts, const Timed& all) {
  Schedule schedule = timed_schedule(pattern, all.parcels, all.rounds);
  schedule.round_bytes = nullptr;
  schedule.problem.hosts = hosts;
  return schedule;
}

}  // namespace rota
