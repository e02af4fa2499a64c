// What schedules on shared hosts are put together from: what passes links, and beside it what does not.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rota/generators/all_to_many/timed.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// A pattern's messages, by whether they pass links.
struct Divided {
  std::vector<Shipment> between;
  std::vector<Shipment> within;
};

Divided divided(const Pattern& pattern, const Hosts& hosts);

/// Messages whole, in the fewest rounds. The seed decides among equally good orders.
Timed in_fewest_rounds(Rank ranks, const std::vector<Shipment>& shipments, std::uint64_t seed);

/// Rounds are an order, and have no lengths in common.
Schedule schedule_on_hosts(const std::shared_ptr<const Pattern>& pattern,
                           const std::shared_ptr<const Hosts>& hosts, const Timed& all);

}  // namespace rota
