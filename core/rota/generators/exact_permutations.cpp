#include "rota/generators/exact_permutations.hpp"

#include "rota/edge_colouring.hpp"
#include "rota/parcels.hpp"

namespace rota {

Schedule exact_permutations(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  const std::vector<Shipment> shipments = pattern->shipments();
  std::vector<BipartiteEdge> edges;
  edges.reserve(shipments.size());
  for (const Shipment& each : shipments) edges.push_back({each.from, each.to});
  const EdgeColouring colouring = edge_colouring(static_cast<std::size_t>(pattern->ranks()), edges, seed);
  std::vector<TimedParcel> parcels;
  parcels.reserve(shipments.size());
  for (std::size_t i = 0; i < shipments.size(); ++i) {
    const Shipment& each = shipments[i];
    parcels.push_back({each.from, {each.to, 0, each.bytes}, colouring.of_edges[i]});
  }
  return timed_schedule(pattern, parcels, colouring.colours);
}

}  // namespace rota
