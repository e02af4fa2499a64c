#include "rota/generators/all_to_many/timed.hpp"

#include <stdexcept>
#include <string>

namespace rota {

namespace {

/// How much of a message goes on with its next piece.
struct Remainder {
  std::int64_t offset_bytes = 0;
  std::int64_t bytes = 0;
};

}  // namespace

Timed in_grains(const std::vector<Shipment>& shipments, const std::vector<WeightedMatching>& matchings,
                std::int64_t grain_bytes) {
  std::vector<Remainder> left;
  left.reserve(shipments.size());
  for (const Shipment& each : shipments) left.push_back({0, each.bytes});
  Timed result;
  for (const WeightedMatching& matching : matchings) {
    for (const EdgePart& part : matching.parts) {
      const Shipment& shipment = shipments[static_cast<std::size_t>(part.edge)];
      Remainder& rest = left[static_cast<std::size_t>(part.edge)];
      // The last grain may be a broken one; grains before it are whole, so that this does not overflow.
      const std::int64_t bytes =
          part.weight > (rest.bytes - 1) / grain_bytes ? rest.bytes : part.weight * grain_bytes;
      result.parcels.push_back({shipment.from, {shipment.to, rest.offset_bytes, bytes}, result.rounds});
      rest = {rest.offset_bytes + bytes, rest.bytes - bytes};
    }
    ++result.rounds;
  }
  return result;
}

std::vector<WeightedEdge> edges_in_grains(const std::vector<Shipment>& shipments, std::int64_t grain_bytes) {
  if (grain_bytes < 1)
    throw std::invalid_argument("a grain of " + std::to_string(grain_bytes) + " bytes; give at least 1");
  std::vector<WeightedEdge> edges;
  edges.reserve(shipments.size());
  for (const Shipment& each : shipments)
    edges.push_back({each.from, each.to, (each.bytes - 1) / grain_bytes + 1});
  return edges;
}

Timed spread(Timed few, Timed many) {
  const Round parts = few.rounds + 1;
  for (TimedParcel& each : few.parcels) each.round += (each.round + 1) * many.rounds / parts;
  // Before its round i are those of `few` that begin no later: (k + 1) rounds / parts <= i.
  std::vector<Round> before(static_cast<std::size_t>(many.rounds));
  for (Round i = 0, k = 0; i < many.rounds; ++i) {
    while (k < few.rounds && (k + 1) * many.rounds / parts <= i) ++k;
    before[static_cast<std::size_t>(i)] = k;
  }
  for (TimedParcel& each : many.parcels) each.round += before[static_cast<std::size_t>(each.round)];
  many.parcels.insert(many.parcels.end(), few.parcels.begin(), few.parcels.end());
  many.rounds += few.rounds;
  return many;
}

}  // namespace rota
