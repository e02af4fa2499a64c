#include "rota/generators/all_to_many/placed.hpp"

#include "rota/generators/all_to_many/exact_permutations.hpp"

namespace rota {

Divided divided(const Pattern& pattern, const Hosts& hosts) {
  Divided result;
  for (const Shipment& each : pattern.shipments())
    (hosts.share(each.from, each.to) ? result.within : result.between).push_back(each);
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
